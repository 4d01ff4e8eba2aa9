/** Orders that cardholders contest. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  DeleteChargebackFileAnswer,
  DownloadChargebackFileHeaders,
  ListChargebackFilesQuery,
  ListChargebacksQuery,
  MerchantDispute,
  MerchantDisputeFile,
  MerchantDisputeUpload,
  MerchantEvidence,
  UploadChargebackFilesAnswer,
  UploadChargebackFilesHeaders,
} from '../types.ts'

/** Orders that cardholders contest. */
export class DisputesGroup extends Group {
  /**
   * List disputes.
   *
   * Lists the disputes of the merchant, newest first or by their deadline: what the card network
   * took back of its orders for cardholders that contest them. The filters combine.
   *
   * `GET /disputes`
   */
  listChargebacks(query?: ListChargebacksQuery, options?: RequestOptions): List<MerchantDispute> {
    return this.transport.list('GET', '/disputes', { query }, options)
  }

  /**
   * Get a dispute.
   *
   * Returns one dispute of the merchant.
   *
   * `GET /disputes/{id}`
   */
  getChargeback(id: string, options?: RequestOptions): Promise<MerchantDispute> {
    return this.transport.send('GET', path`/disputes/${id}`, {}, options)
  }

  /**
   * Send evidence.
   *
   * Contests a dispute with status `NEEDS_RESPONSE` by evidence, once: texts, and the files that it
   * has by then. It is `UNDER_REVIEW` then. Sends CHARGEBACK_STATUS_CHANGE.
   *
   * Errors of its own: `chargeback_move_refused`, `file_held`.
   *
   * `POST /disputes/{id}/evidence`
   */
  answerChargeback(
    id: string,
    body: MerchantEvidence,
    options?: RequestOptions,
  ): Promise<MerchantDispute> {
    return this.transport.send(
      'POST',
      path`/disputes/${id}/evidence`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Accept a dispute.
   *
   * Accepts a dispute with status `NEEDS_RESPONSE`: its amount is not given back. Sends
   * CHARGEBACK_STATUS_CHANGE.
   *
   * Errors of its own: `chargeback_move_refused`.
   *
   * `POST /disputes/{id}/accept`
   */
  acceptChargeback(id: string, options?: RequestOptions): Promise<MerchantDispute> {
    return this.transport.send('POST', path`/disputes/${id}/accept`, { keyed: true }, options)
  }

  /**
   * Upload files of evidence.
   *
   * Uploads one part `file`, or up to five parts `files`, as multipart/form-data, to a dispute with
   * status `NEEDS_RESPONSE`; all of them are stored or none, up to ten for a dispute: PDF, JPEG,
   * PNG, BMP and Word, up to 128 MiB each, inspected and scanned. They are sent with the evidence.
   *
   * Errors of its own: `id_taken`, `chargeback_move_refused`, `file_limit_reached`, `storage_full`,
   * `changed_meanwhile`.
   *
   * `POST /disputes/{id}/files`
   */
  uploadChargebackFiles(
    id: string,
    body: MerchantDisputeUpload,
    options?: RequestOptions & { headers?: UploadChargebackFilesHeaders },
  ): Promise<UploadChargebackFilesAnswer> {
    return this.transport.send(
      'POST',
      path`/disputes/${id}/files`,
      { form: body, keyed: true },
      options,
    )
  }

  /**
   * List the files of a dispute.
   *
   * Lists the files of a dispute, newest first. Deleted files are absent.
   *
   * `GET /disputes/{id}/files`
   */
  listChargebackFiles(
    id: string,
    query?: ListChargebackFilesQuery,
    options?: RequestOptions,
  ): List<MerchantDisputeFile> {
    return this.transport.list('GET', path`/disputes/${id}/files`, { query }, options)
  }

  /**
   * Get the metadata of a file.
   *
   * Returns the metadata of a file of evidence, without its content.
   *
   * `GET /disputes/{id}/files/{file_id}`
   */
  getChargebackFile(
    id: string,
    file_id: string,
    options?: RequestOptions,
  ): Promise<MerchantDisputeFile> {
    return this.transport.send('GET', path`/disputes/${id}/files/${file_id}`, {}, options)
  }

  /**
   * Delete a file of evidence.
   *
   * Deletes a file of a dispute with status `NEEDS_RESPONSE`. A file that was sent as evidence
   * remains.
   *
   * Errors of its own: `chargeback_move_refused`.
   *
   * `DELETE /disputes/{id}/files/{file_id}`
   */
  deleteChargebackFile(
    id: string,
    file_id: string,
    options?: RequestOptions,
  ): Promise<DeleteChargebackFileAnswer> {
    return this.transport.send('DELETE', path`/disputes/${id}/files/${file_id}`, {}, options)
  }

  /**
   * Download a file of evidence.
   *
   * Returns the content of a file, or a range of it. A file that the virus scanner has not checked
   * yet, and an infected one, fail with 409.
   *
   * Errors of its own: `file_held`, `file_infected`, `range_not_satisfiable`.
   *
   * `GET /disputes/{id}/files/{file_id}/download`
   */
  downloadChargebackFile(
    id: string,
    file_id: string,
    options?: RequestOptions & { headers?: DownloadChargebackFileHeaders },
  ): Promise<Response> {
    return this.transport.raw('GET', path`/disputes/${id}/files/${file_id}/download`, {}, options)
  }
}
