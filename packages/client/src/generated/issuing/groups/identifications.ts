/** Identity documents of users and their files. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  BrowseIdentificationFileHeaders,
  Deleted,
  DeleteIdentificationFileHeaders,
  DownloadIdentificationFileHeaders,
  Identification,
  IdentificationChanges,
  IdentificationFile,
  IdentificationUpload,
  ListIdentificationFilesQuery,
  ListIdentificationsQuery,
  NewIdentification,
  UpdateIdentificationHeaders,
  UploadIdentificationFilesAnswer,
  UploadIdentificationFilesByPostAnswer,
  UploadIdentificationFilesByPostHeaders,
  UploadIdentificationFilesHeaders,
} from '../types.ts'

/** Identity documents of users and their files. */
export class IdentificationsGroup extends Group {
  /**
   * Create an identification of a user.
   *
   * Creates an identity document of a user that is not TERMINATED. Its review starts as PENDING for
   * an INDIVIDUAL and as PENDINGKYB for every other type. A user may have 100 identifications. Files
   * are uploaded to it afterwards.
   *
   * Errors of its own: `id_taken`, `user_terminated`, `identification_limit_reached`.
   *
   * `POST /users/{user_id}/identifications`
   */
  create(
    user_id: string,
    body: NewIdentification,
    options?: RequestOptions,
  ): Promise<Identification> {
    return this.transport.send(
      'POST',
      path`/users/${user_id}/identifications`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the identifications of a user.
   *
   * Lists the identifications of a user, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users/{user_id}/identifications`
   */
  list(
    user_id: string,
    query?: ListIdentificationsQuery,
    options?: RequestOptions,
  ): List<Identification> {
    return this.transport.list('GET', path`/users/${user_id}/identifications`, { query }, options)
  }

  /**
   * Get an identification.
   *
   * Returns one identification of a user. Fields that were never set are absent.
   *
   * `GET /users/{user_id}/identifications/{identification_id}`
   */
  get(
    user_id: string,
    identification_id: string,
    options?: RequestOptions,
  ): Promise<Identification> {
    return this.transport.send(
      'GET',
      path`/users/${user_id}/identifications/${identification_id}`,
      {},
      options,
    )
  }

  /**
   * Update an identification.
   *
   * Changes only the fields that are sent; null clears a field. A reviewed identification returns to
   * the status before its review. `type` cannot change while the identification has files
   * (`identification_has_files`).
   *
   * Errors of its own: `user_terminated`, `identification_has_files`.
   *
   * `PUT /users/{user_id}/identifications/{identification_id}`
   */
  update(
    user_id: string,
    identification_id: string,
    body: IdentificationChanges,
    options?: RequestOptions & { headers?: UpdateIdentificationHeaders },
  ): Promise<Identification> {
    return this.transport.send(
      'PUT',
      path`/users/${user_id}/identifications/${identification_id}`,
      { body },
      options,
    )
  }

  /**
   * Upload files.
   *
   * Uploads one part `file`, or up to five parts `files`, as multipart/form-data; all of them are
   * stored or none. Accepted are PDF, JPEG, PNG, BMP, DOC and DOCX files of up to 128 MiB each, or 5
   * MiB for a BANK_STATEMENT, and up to ten files for each identification. Its extension, its
   * declared type and its content must agree; `application/octet-stream` and `text/plain` declare
   * nothing. Refused are PDFs that need a password or have scripts, macros, files within files but
   * for the workbook of a chart in DOCX, documents of more than 1,000 entries or 512 MiB unpacked,
   * pictures of more than 150 megapixels or 40,000 on a side, and bytes behind the end of a file,
   * but for padding and the trailers of phones, which are cut. If a scanner is configured, every
   * file is scanned for viruses. Beyond `stored_bytes_max` of the settings it fails with
   * `storage_full`. PUT and POST do the same.
   *
   * Errors of its own: `id_taken`, `user_terminated`, `file_limit_reached`, `storage_full`.
   *
   * `PUT /users/{user_id}/identifications/{identification_id}/files`
   */
  uploadFiles(
    user_id: string,
    identification_id: string,
    body: IdentificationUpload,
    options?: RequestOptions & { headers?: UploadIdentificationFilesHeaders },
  ): Promise<UploadIdentificationFilesAnswer> {
    return this.transport.send(
      'PUT',
      path`/users/${user_id}/identifications/${identification_id}/files`,
      { form: body },
      options,
    )
  }

  /**
   * Upload files by POST.
   *
   * Uploads one part `file`, or up to five parts `files`, as multipart/form-data; all of them are
   * stored or none. Accepted are PDF, JPEG, PNG, BMP, DOC and DOCX files of up to 128 MiB each, or 5
   * MiB for a BANK_STATEMENT, and up to ten files for each identification. Its extension, its
   * declared type and its content must agree; `application/octet-stream` and `text/plain` declare
   * nothing. Refused are PDFs that need a password or have scripts, macros, files within files but
   * for the workbook of a chart in DOCX, documents of more than 1,000 entries or 512 MiB unpacked,
   * pictures of more than 150 megapixels or 40,000 on a side, and bytes behind the end of a file,
   * but for padding and the trailers of phones, which are cut. If a scanner is configured, every
   * file is scanned for viruses. Beyond `stored_bytes_max` of the settings it fails with
   * `storage_full`. PUT and POST do the same.
   *
   * Errors of its own: `id_taken`, `user_terminated`, `file_limit_reached`, `storage_full`.
   *
   * `POST /users/{user_id}/identifications/{identification_id}/files`
   */
  uploadFilesByPost(
    user_id: string,
    identification_id: string,
    body: IdentificationUpload,
    options?: RequestOptions & { headers?: UploadIdentificationFilesByPostHeaders },
  ): Promise<UploadIdentificationFilesByPostAnswer> {
    return this.transport.send(
      'POST',
      path`/users/${user_id}/identifications/${identification_id}/files`,
      { form: body, keyed: true },
      options,
    )
  }

  /**
   * List the files of an identification.
   *
   * Lists the files of an identification, newest first. Deleted files are absent.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users/{user_id}/identifications/{identification_id}/files`
   */
  listFiles(
    user_id: string,
    identification_id: string,
    query?: ListIdentificationFilesQuery,
    options?: RequestOptions,
  ): List<IdentificationFile> {
    return this.transport.list(
      'GET',
      path`/users/${user_id}/identifications/${identification_id}/files`,
      { query },
      options,
    )
  }

  /**
   * Get the metadata of a file.
   *
   * Returns the metadata of a file, without its content.
   *
   * `GET /users/{user_id}/identifications/{identification_id}/files/{file_id}`
   */
  getFile(
    user_id: string,
    identification_id: string,
    file_id: string,
    options?: RequestOptions,
  ): Promise<IdentificationFile> {
    return this.transport.send(
      'GET',
      path`/users/${user_id}/identifications/${identification_id}/files/${file_id}`,
      {},
      options,
    )
  }

  /**
   * Delete a file.
   *
   * Deletes the content of a file and removes it from lists. A reviewed identification returns to
   * the status before its review. Version numbers of deleted files are not used again.
   *
   * Errors of its own: `user_terminated`.
   *
   * `DELETE /users/{user_id}/identifications/{identification_id}/files/{file_id}`
   */
  deleteFile(
    user_id: string,
    identification_id: string,
    file_id: string,
    options?: RequestOptions & { headers?: DeleteIdentificationFileHeaders },
  ): Promise<Deleted> {
    return this.transport.send(
      'DELETE',
      path`/users/${user_id}/identifications/${identification_id}/files/${file_id}`,
      {},
      options,
    )
  }

  /**
   * View a file in the browser.
   *
   * Returns the content of a file, or a range of it, with the disposition inline. A file that the
   * virus scanner has not checked yet fails with `file_held`, an infected one with `file_infected`.
   *
   * Errors of its own: `file_held`, `file_infected`, `range_not_satisfiable`.
   *
   * `GET /users/{user_id}/identifications/{identification_id}/files/{file_id}:browse`
   */
  browseFile(
    user_id: string,
    identification_id: string,
    file_id: string,
    options?: RequestOptions & { headers?: BrowseIdentificationFileHeaders },
  ): Promise<Response> {
    return this.transport.raw(
      'GET',
      path`/users/${user_id}/identifications/${identification_id}/files/${file_id}:browse`,
      {},
      options,
    )
  }

  /**
   * Download a file.
   *
   * Returns the content of a file, or a range of it, with the disposition attachment. A file that
   * the virus scanner has not checked yet fails with `file_held`, an infected one with
   * `file_infected`.
   *
   * Errors of its own: `file_held`, `file_infected`, `range_not_satisfiable`.
   *
   * `GET /users/{user_id}/identifications/{identification_id}/files/{file_id}:download`
   */
  downloadFile(
    user_id: string,
    identification_id: string,
    file_id: string,
    options?: RequestOptions & { headers?: DownloadIdentificationFileHeaders },
  ): Promise<Response> {
    return this.transport.raw(
      'GET',
      path`/users/${user_id}/identifications/${identification_id}/files/${file_id}:download`,
      {},
      options,
    )
  }
}
