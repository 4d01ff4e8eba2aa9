/** Identity checks and KYC and KYB requests. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  CreateKycRequestBody,
  KycRequest,
  SearchKycRequestsBody,
  SearchKycRequestsExtras,
} from '../types.ts'

/** Identity checks and KYC and KYB requests. */
export class KycGroup extends Group {
  /**
   * Request KYC of a user.
   *
   * Submits a KYC request for a user that is PENDINGKYC. UAE_INDIVIDUAL_SECONDARY needs a parent
   * that has passed KYC. A user has at most one request without a result (`kyc_in_progress`); after
   * FAILED another may follow. In sandbox the last name `pass` ends it OK and `fail` FAILED within a
   * second, and `match` is found on a list; all others are decided by the operator. In live the
   * configured provider decides, or leaves it to the operator. Sends KYC_RESULT with status
   * SUBMITTED, and again with the result; an entry of a list that may be the user sends
   * SCREENING_MATCH.
   *
   * Errors of its own: `id_taken`, `kyc_not_awaited`, `parent_kyc_missing`, `kyc_in_progress`.
   *
   * `POST /users/{id}/kyc`
   */
  createRequest(
    id: string,
    body: CreateKycRequestBody,
    options?: RequestOptions,
  ): Promise<KycRequest> {
    return this.transport.send('POST', path`/users/${id}/kyc`, { body, keyed: true }, options)
  }

  /**
   * Get a KYC request.
   *
   * Returns one KYC request with its present status.
   *
   * `GET /users/kyc/{id}`
   */
  getRequest(id: string, options?: RequestOptions): Promise<KycRequest> {
    return this.transport.send('GET', path`/users/kyc/${id}`, {}, options)
  }

  /**
   * Search KYC requests.
   *
   * Finds KYC requests by free text and by filters, newest first by default. Filters are combined
   * from left to right by `matcher`. A cursor is valid only for the sort order that made it.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `POST /users/kyc:search`
   */
  searchRequests(
    body: SearchKycRequestsBody,
    options?: RequestOptions,
  ): List<KycRequest, SearchKycRequestsExtras> {
    return this.transport.list(
      'POST',
      '/users/kyc:search',
      { body, keyed: true, cursor: 'cursors' },
      options,
    )
  }
}
