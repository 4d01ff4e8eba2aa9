/** API keys of the tenant of the member. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type { CreateKeyBody, Key, KeyWithValue, ListKeysQuery } from '../types.ts'

/** API keys of the tenant of the member. */
export class ApiKeysGroup extends Group {
  /**
   * Create an API key of the tenant.
   *
   * Creates an API key of the tenant. Only this answer contains its value, which never changes. A
   * permission that the role of the member may not give fails with `permission_missing`, and a key
   * beyond `api_keys_max` of the settings with `too_many_keys`. The key may send to an operation
   * only what the role may send, as with the widget with card data.
   *
   * Errors of its own: `idempotency_key_reused`, `idempotency_key_in_use`, `too_many_keys`.
   *
   * `POST /keys`
   */
  create(body: CreateKeyBody, options?: RequestOptions): Promise<KeyWithValue> {
    return this.transport.send('POST', '/keys', { body, keyed: true }, options)
  }

  /**
   * List API keys of the tenant.
   *
   * Lists the API keys of the tenant that are not revoked, newest first, without their values; with
   * `created_by` those that a member has made.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /keys`
   */
  list(query?: ListKeysQuery, options?: RequestOptions): List<Key> {
    return this.transport.list('GET', '/keys', { query }, options)
  }

  /**
   * Revoke an API key of the tenant.
   *
   * Revokes an API key of the tenant: no process accepts it a second later.
   *
   * Errors of its own: `not_found`.
   *
   * `DELETE /keys/{id}`
   */
  revoke(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/keys/${id}`, {}, options)
  }
}
