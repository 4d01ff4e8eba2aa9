/** People and companies that hold cards. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  ChangeUserStatusBody,
  ChangeUserStatusHeaders,
  ListLinkedUsersByPostBody,
  ListLinkedUsersByPostQuery,
  ListLinkedUsersQuery,
  ListUserStatusChangesQuery,
  ListUsersQuery,
  NewUser,
  SearchUsersBody,
  UpdateUserHeaders,
  User,
  UserChanges,
  UserStatusChange,
} from '../types.ts'

/** People and companies that hold cards. */
export class UsersGroup extends Group {
  /**
   * Create a user.
   *
   * Creates a user in the first status that the settings of the tenant give to its type:
   * PENDINGIDVERIFICATION, PENDINGKYC, PENDINGKYB or ACTIVE. An INDIVIDUAL needs `first_name`, a
   * BUSINESS `business_legal_name` and `business_dba_name`, a DIRECTOR and a SIGNATURE `first_name`,
   * `last_name` and `designation`, a SHAREHOLDER `first_name`, `last_name` and `shares_percentage`,
   * a SHAREHOLDER_BUSINESS `business_legal_name`, `license_type` and `license_expiry`; none of them
   * may be blank. A field of another type is 400. A sub-user of a business joins the list of its
   * parent. Sends USER_CREATED, and IDENTITY_VERIFICATION with an SDK token when identity
   * verification starts.
   *
   * Errors of its own: `id_taken`, `parent_not_eligible`, `parent_cycle`, `user_already_linked`,
   * `not_configured`.
   *
   * `POST /users`
   */
  create(body: NewUser, options?: RequestOptions): Promise<User> {
    return this.transport.send('POST', '/users', { body, keyed: true }, options)
  }

  /**
   * List users.
   *
   * Lists the users of the tenant, newest first: all, or those that match every filter that is sent.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users`
   */
  list(query?: ListUsersQuery, options?: RequestOptions): List<User> {
    return this.transport.list('GET', '/users', { query }, options)
  }

  /**
   * Search users.
   *
   * Finds users by name, mobile and e-mail; all members that are sent must match. `email` and
   * `mobile` match the whole value, `name` matches the beginning of any word of a name. Results are
   * newest first.
   *
   * `POST /users:search`
   */
  search(body: SearchUsersBody, options?: RequestOptions): List<User> {
    return this.transport.list(
      'POST',
      '/users:search',
      { body, keyed: true, cursor: 'body' },
      options,
    )
  }

  /**
   * Get a user.
   *
   * Returns one user. Fields that were never set are absent.
   *
   * `GET /users/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<User> {
    return this.transport.send('GET', path`/users/${id}`, {}, options)
  }

  /**
   * Update a user.
   *
   * Changes only the fields that are sent. Null clears a field, objects merge member by member, and
   * a list replaces the list before. `user_type` cannot change. While the tenant requires KYC,
   * `first_name`, `middle_name`, `last_name`, `native_name`, `date_of_birth`, `nationality`,
   * `place_of_birth`, `business_legal_name`, `entity_registered_no` and `tin` of an ACTIVE user
   * cannot change (`field_locked`).
   *
   * Errors of its own: `field_locked`, `parent_not_eligible`, `parent_cycle`, `user_already_linked`.
   *
   * `PUT /users/{id}`
   */
  update(
    id: string,
    body: UserChanges,
    options?: RequestOptions & { headers?: UpdateUserHeaders },
  ): Promise<User> {
    return this.transport.send('PUT', path`/users/${id}`, { body }, options)
  }

  /**
   * Change the status of a user.
   *
   * Moves the user to a status and reason code that its present state allows; any other move fails
   * with `user_status_move_refused`. Reasons B0 and B0E check the stored documents; B2 and B2E issue
   * a new SDK token. A suspension ends an open identity check. Every change is recorded and sends
   * USER_STATUS_CHANGE; B2 and B2E also send IDENTITY_VERIFICATION.
   *
   * Errors of its own: `user_status_move_refused`, `identity_documents_missing`, `not_configured`.
   *
   * `PUT /users/{id}:changeStatus`
   */
  changeStatus(
    id: string,
    body: ChangeUserStatusBody,
    options?: RequestOptions & { headers?: ChangeUserStatusHeaders },
  ): Promise<User> {
    return this.transport.send('PUT', path`/users/${id}:changeStatus`, { body }, options)
  }

  /**
   * List the status changes of a user.
   *
   * Lists every change of the status or reason code of a user, newest first, with the actor and the
   * note of each.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users/{id}/statuschanges`
   */
  listStatusChanges(
    id: string,
    query?: ListUserStatusChangesQuery,
    options?: RequestOptions,
  ): List<UserStatusChange> {
    return this.transport.list('GET', path`/users/${id}/statuschanges`, { query }, options)
  }

  /**
   * List the users below a user.
   *
   * Lists the children of a user, newest first. With `depth=all` the list contains the users at
   * every level below it.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users/{id}:getLinkedRelationships`
   */
  listLinkedUsers(id: string, query?: ListLinkedUsersQuery, options?: RequestOptions): List<User> {
    return this.transport.list('GET', path`/users/${id}:getLinkedRelationships`, { query }, options)
  }

  /**
   * List the users below a user by POST.
   *
   * Does the same as the GET operation on this path. The body is empty.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `POST /users/{id}:getLinkedRelationships`
   */
  listLinkedUsersByPost(
    id: string,
    body?: ListLinkedUsersByPostBody,
    query?: ListLinkedUsersByPostQuery,
    options?: RequestOptions,
  ): List<User> {
    return this.transport.list(
      'POST',
      path`/users/${id}:getLinkedRelationships`,
      { body, query, keyed: true },
      options,
    )
  }
}
