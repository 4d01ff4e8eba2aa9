/** Settled payments that cardholders contest. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AcceptDisputeBody,
  AcceptDisputeHeaders,
  ArbitrateDisputeBody,
  ArbitrateDisputeHeaders,
  BrowseDisputeFileHeaders,
  Deleted,
  Dispute,
  DisputeFile,
  DisputeUpload,
  DownloadDisputeFileHeaders,
  ListDisputeFilesQuery,
  ListDisputeReasonsAnswer,
  ListDisputesQuery,
  OpenDisputeBody,
  SubmitDisputeBody,
  SubmitDisputeHeaders,
  UpdateDisputeBody,
  UpdateDisputeHeaders,
  UploadDisputeFilesAnswer,
  UploadDisputeFilesByPutAnswer,
  UploadDisputeFilesByPutHeaders,
  UploadDisputeFilesHeaders,
  WithdrawDisputeBody,
  WithdrawDisputeHeaders,
} from '../types.ts'

/** Settled payments that cardholders contest. */
export class DisputesGroup extends Group {
  /**
   * Open a dispute.
   *
   * Opens a dispute about what is settled of a card transaction, as a DRAFT that moves no money, and
   * sends DISPUTE_STATUS_CHANGE. Disputes and refunds of a transaction are together never above what
   * is settled.
   *
   * Errors of its own: `id_taken`, `nothing_to_dispute`, `dispute_exceeds_amount`,
   * `dispute_too_late`.
   *
   * `POST /disputes`
   */
  open(body: OpenDisputeBody, options?: RequestOptions): Promise<Dispute> {
    return this.transport.send('POST', '/disputes', { body, keyed: true }, options)
  }

  /**
   * List disputes.
   *
   * Lists disputes, newest first or by their deadline. The filters combine.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /disputes`
   */
  list(query?: ListDisputesQuery, options?: RequestOptions): List<Dispute> {
    return this.transport.list('GET', '/disputes', { query }, options)
  }

  /**
   * Get a dispute.
   *
   * Returns a dispute as it is now, with the steps of its life in `moves`.
   *
   * `GET /disputes/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Dispute> {
    return this.transport.send('GET', path`/disputes/${id}`, {}, options)
  }

  /**
   * Update a dispute.
   *
   * Changes only the fields that are sent, of a dispute that is a DRAFT.
   *
   * Errors of its own: `dispute_not_draft`, `nothing_to_dispute`, `dispute_exceeds_amount`,
   * `dispute_too_late`.
   *
   * `PUT /disputes/{id}`
   */
  update(
    id: string,
    body: UpdateDisputeBody,
    options?: RequestOptions & { headers?: UpdateDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send('PUT', path`/disputes/${id}`, { body }, options)
  }

  /**
   * List the reason codes of disputes.
   *
   * Lists the codes of the schemes: the reasons for which each is used, the days within which it is
   * submitted, and the evidence that helps.
   *
   * `GET /disputereasons`
   */
  listReasons(options?: RequestOptions): Promise<ListDisputeReasonsAnswer> {
    return this.transport.send('GET', '/disputereasons', {}, options)
  }

  /**
   * Submit a dispute.
   *
   * Submits a DRAFT: its chargeback leaves for the card network next. Sends DISPUTE_STATUS_CHANGE.
   *
   * Errors of its own: `dispute_move_refused`, `nothing_to_dispute`, `dispute_exceeds_amount`,
   * `dispute_too_late`.
   *
   * `POST /disputes/{id}:submit`
   */
  submit(
    id: string,
    body?: SubmitDisputeBody,
    options?: RequestOptions & { headers?: SubmitDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send('POST', path`/disputes/${id}:submit`, { body, keyed: true }, options)
  }

  /**
   * Withdraw a dispute.
   *
   * Ends a dispute that is a DRAFT, SUBMITTED or CHARGED_BACK without a decision. A provisional
   * credit is taken back. Sends DISPUTE_STATUS_CHANGE.
   *
   * Errors of its own: `dispute_move_refused`.
   *
   * `POST /disputes/{id}:withdraw`
   */
  withdraw(
    id: string,
    body?: WithdrawDisputeBody,
    options?: RequestOptions & { headers?: WithdrawDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/disputes/${id}:withdraw`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Accept a representment.
   *
   * Accepts that the merchant’s side presented the transaction again: the dispute is lost, and a
   * provisional credit is taken back. What the account lacks of it becomes a charge. Sends
   * DISPUTE_STATUS_CHANGE.
   *
   * Errors of its own: `dispute_move_refused`.
   *
   * `POST /disputes/{id}:accept`
   */
  accept(
    id: string,
    body?: AcceptDisputeBody,
    options?: RequestOptions & { headers?: AcceptDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send('POST', path`/disputes/${id}:accept`, { body, keyed: true }, options)
  }

  /**
   * Arbitrate a representment.
   *
   * Contests a representment: the arbitration chargeback leaves for the card network next, and the
   * scheme decides. 409 `dispute_exceeds_amount` after a refund that leaves too little. Sends
   * DISPUTE_STATUS_CHANGE.
   *
   * Errors of its own: `dispute_move_refused`, `dispute_exceeds_amount`.
   *
   * `POST /disputes/{id}:arbitrate`
   */
  arbitrate(
    id: string,
    body?: ArbitrateDisputeBody,
    options?: RequestOptions & { headers?: ArbitrateDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/disputes/${id}:arbitrate`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Upload files of evidence.
   *
   * Uploads one part `file`, or up to five parts `files`, as multipart/form-data, to a dispute that
   * has not ended; all of them are stored or none, up to ten for a dispute. Accepted are the kinds
   * and sizes of the files of identifications, which are inspected and scanned alike. PUT and POST
   * do the same.
   *
   * Errors of its own: `id_taken`, `dispute_move_refused`, `file_limit_reached`, `storage_full`.
   *
   * `POST /disputes/{id}/files`
   */
  uploadFiles(
    id: string,
    body: DisputeUpload,
    options?: RequestOptions & { headers?: UploadDisputeFilesHeaders },
  ): Promise<UploadDisputeFilesAnswer> {
    return this.transport.send(
      'POST',
      path`/disputes/${id}/files`,
      { form: body, keyed: true },
      options,
    )
  }

  /**
   * Upload files of evidence by PUT.
   *
   * Uploads one part `file`, or up to five parts `files`, as multipart/form-data, to a dispute that
   * has not ended; all of them are stored or none, up to ten for a dispute. Accepted are the kinds
   * and sizes of the files of identifications, which are inspected and scanned alike. PUT and POST
   * do the same.
   *
   * Errors of its own: `id_taken`, `dispute_move_refused`, `file_limit_reached`, `storage_full`.
   *
   * `PUT /disputes/{id}/files`
   */
  uploadFilesByPut(
    id: string,
    body: DisputeUpload,
    options?: RequestOptions & { headers?: UploadDisputeFilesByPutHeaders },
  ): Promise<UploadDisputeFilesByPutAnswer> {
    return this.transport.send('PUT', path`/disputes/${id}/files`, { form: body }, options)
  }

  /**
   * List the files of a dispute.
   *
   * Lists the files of a dispute, newest first. Deleted files are absent.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /disputes/{id}/files`
   */
  listFiles(
    id: string,
    query?: ListDisputeFilesQuery,
    options?: RequestOptions,
  ): List<DisputeFile> {
    return this.transport.list('GET', path`/disputes/${id}/files`, { query }, options)
  }

  /**
   * Get the metadata of a file of evidence.
   *
   * Returns the metadata of a file of evidence, without its content.
   *
   * `GET /disputes/{id}/files/{file_id}`
   */
  getFile(id: string, file_id: string, options?: RequestOptions): Promise<DisputeFile> {
    return this.transport.send('GET', path`/disputes/${id}/files/${file_id}`, {}, options)
  }

  /**
   * Delete a file of evidence.
   *
   * Deletes the content of a file of a dispute that has not ended, but of the merchant.
   *
   * Errors of its own: `dispute_move_refused`.
   *
   * `DELETE /disputes/{id}/files/{file_id}`
   */
  deleteFile(id: string, file_id: string, options?: RequestOptions): Promise<Deleted> {
    return this.transport.send('DELETE', path`/disputes/${id}/files/${file_id}`, {}, options)
  }

  /**
   * View a file of evidence.
   *
   * Returns the content of a file, or a range of it, with the disposition inline. A file that the
   * virus scanner has not checked yet fails with `file_held`, an infected one with `file_infected`.
   *
   * Errors of its own: `file_held`, `file_infected`, `range_not_satisfiable`.
   *
   * `GET /disputes/{id}/files/{file_id}:browse`
   */
  browseFile(
    id: string,
    file_id: string,
    options?: RequestOptions & { headers?: BrowseDisputeFileHeaders },
  ): Promise<Response> {
    return this.transport.raw('GET', path`/disputes/${id}/files/${file_id}:browse`, {}, options)
  }

  /**
   * Download a file of evidence.
   *
   * Returns the content of a file, or a range of it, with the disposition attachment. A file that
   * the virus scanner has not checked yet fails with `file_held`, an infected one with
   * `file_infected`.
   *
   * Errors of its own: `file_held`, `file_infected`, `range_not_satisfiable`.
   *
   * `GET /disputes/{id}/files/{file_id}:download`
   */
  downloadFile(
    id: string,
    file_id: string,
    options?: RequestOptions & { headers?: DownloadDisputeFileHeaders },
  ): Promise<Response> {
    return this.transport.raw('GET', path`/disputes/${id}/files/${file_id}:download`, {}, options)
  }
}
