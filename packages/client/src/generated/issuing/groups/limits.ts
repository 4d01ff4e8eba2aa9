/** Balance limits and velocity limits. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AvailableVelocity,
  BalanceLimit,
  CreateBalanceLimitBody,
  CreateVelocityLimitBody,
  GetAvailableVelocityQuery,
  GetBalanceLimitShadowQuery,
  GetVelocityLimitShadowQuery,
  LinkAccountBalanceLimitsBody,
  LinkAccountVelocityLimitsBody,
  LinkCardProductBalanceLimitsBody,
  LinkCardProductVelocityLimitsBody,
  LinkCardVelocityLimitsBody,
  LinkedLimits,
  LinkUserBalanceLimitsBody,
  LinkUserVelocityLimitsBody,
  ListAccountBalanceLimitsQuery,
  ListAccountVelocityLimitsQuery,
  ListBalanceLimitsQuery,
  ListCardProductBalanceLimitsQuery,
  ListCardProductVelocityLimitsQuery,
  ListCardVelocityLimitsQuery,
  ListUserBalanceLimitsQuery,
  ListUserVelocityLimitsQuery,
  ListVelocityLimitsQuery,
  ShadowReport,
  UnlinkAccountBalanceLimitsBody,
  UnlinkAccountVelocityLimitsBody,
  UnlinkCardProductBalanceLimitsBody,
  UnlinkCardProductVelocityLimitsBody,
  UnlinkCardVelocityLimitsBody,
  UnlinkUserBalanceLimitsBody,
  UnlinkUserVelocityLimitsBody,
  UpdateBalanceLimitBody,
  UpdateBalanceLimitHeaders,
  UpdateVelocityLimitBody,
  UpdateVelocityLimitHeaders,
  VelocityLimit,
} from '../types.ts'

/** Balance limits and velocity limits. */
export class LimitsGroup extends Group {
  /**
   * Create a balance limit.
   *
   * A balance limit says how little may remain and how much may be held. It applies where it is
   * linked, to accounts of its currency.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /balancelimits`
   */
  createBalanceLimit(
    body: CreateBalanceLimitBody,
    options?: RequestOptions,
  ): Promise<BalanceLimit> {
    return this.transport.send('POST', '/balancelimits', { body, keyed: true }, options)
  }

  /**
   * List balance limits.
   *
   * Lists the balance limits of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /balancelimits`
   */
  listBalanceLimits(query?: ListBalanceLimitsQuery, options?: RequestOptions): List<BalanceLimit> {
    return this.transport.list('GET', '/balancelimits', { query }, options)
  }

  /**
   * Get a balance limit.
   *
   * Answers one balance limit.
   *
   * `GET /balancelimits/{id}`
   */
  getBalanceLimit(id: string, options?: RequestOptions): Promise<BalanceLimit> {
    return this.transport.send('GET', path`/balancelimits/${id}`, {}, options)
  }

  /**
   * Update a balance limit.
   *
   * Changes the members that are sent; `null` clears a member that may be absent. The next
   * authorization is decided on the changed limit.
   *
   * `PUT /balancelimits/{id}`
   */
  updateBalanceLimit(
    id: string,
    body: UpdateBalanceLimitBody,
    options?: RequestOptions & { headers?: UpdateBalanceLimitHeaders },
  ): Promise<BalanceLimit> {
    return this.transport.send('PUT', path`/balancelimits/${id}`, { body }, options)
  }

  /**
   * List the balance limits of a card product.
   *
   * Lists the balance limits that are linked to a card product, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cardproducts/{id}/balancelimits`
   */
  listCardProductBalanceLimits(
    id: string,
    query?: ListCardProductBalanceLimitsQuery,
    options?: RequestOptions,
  ): List<BalanceLimit> {
    return this.transport.list('GET', path`/cardproducts/${id}/balancelimits`, { query }, options)
  }

  /**
   * Link balance limits to a card product.
   *
   * Links balance limits to a card product, at most 20; those that are linked already stay so. The
   * next authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /cardproducts/{id}/balancelimits:link`
   */
  linkCardProductBalanceLimits(
    id: string,
    body: LinkCardProductBalanceLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/cardproducts/${id}/balancelimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink balance limits from a card product.
   *
   * Removes links of balance limits to a card product. Limits without a link stay so.
   *
   * `POST /cardproducts/{id}/balancelimits:unlink`
   */
  unlinkCardProductBalanceLimits(
    id: string,
    body: UnlinkCardProductBalanceLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/cardproducts/${id}/balancelimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the balance limits of a user.
   *
   * Lists the balance limits that are linked to a user, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users/{id}/balancelimits`
   */
  listUserBalanceLimits(
    id: string,
    query?: ListUserBalanceLimitsQuery,
    options?: RequestOptions,
  ): List<BalanceLimit> {
    return this.transport.list('GET', path`/users/${id}/balancelimits`, { query }, options)
  }

  /**
   * Link balance limits to a user.
   *
   * Links balance limits to a user, at most 20; those that are linked already stay so. The next
   * authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /users/{id}/balancelimits:link`
   */
  linkUserBalanceLimits(
    id: string,
    body: LinkUserBalanceLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/users/${id}/balancelimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink balance limits from a user.
   *
   * Removes links of balance limits to a user. Limits without a link stay so.
   *
   * `POST /users/{id}/balancelimits:unlink`
   */
  unlinkUserBalanceLimits(
    id: string,
    body: UnlinkUserBalanceLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/users/${id}/balancelimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the balance limits of an account.
   *
   * Lists the balance limits that are linked to an account, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /accounts/{id}/balancelimits`
   */
  listAccountBalanceLimits(
    id: string,
    query?: ListAccountBalanceLimitsQuery,
    options?: RequestOptions,
  ): List<BalanceLimit> {
    return this.transport.list('GET', path`/accounts/${id}/balancelimits`, { query }, options)
  }

  /**
   * Link balance limits to an account.
   *
   * Links balance limits to an account, at most 20; those that are linked already stay so. The next
   * authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /accounts/{id}/balancelimits:link`
   */
  linkAccountBalanceLimits(
    id: string,
    body: LinkAccountBalanceLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/accounts/${id}/balancelimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink balance limits from an account.
   *
   * Removes links of balance limits to an account. Limits without a link stay so.
   *
   * `POST /accounts/{id}/balancelimits:unlink`
   */
  unlinkAccountBalanceLimits(
    id: string,
    body: UnlinkAccountBalanceLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/accounts/${id}/balancelimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Create a velocity limit.
   *
   * A velocity limit says how much one transaction, or those of a period, may be. It applies where
   * it is linked, to accounts of its currency.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /velocitylimits`
   */
  createVelocityLimit(
    body: CreateVelocityLimitBody,
    options?: RequestOptions,
  ): Promise<VelocityLimit> {
    return this.transport.send('POST', '/velocitylimits', { body, keyed: true }, options)
  }

  /**
   * List velocity limits.
   *
   * Lists the velocity limits of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /velocitylimits`
   */
  listVelocityLimits(
    query?: ListVelocityLimitsQuery,
    options?: RequestOptions,
  ): List<VelocityLimit> {
    return this.transport.list('GET', '/velocitylimits', { query }, options)
  }

  /**
   * Get a velocity limit.
   *
   * Answers one velocity limit.
   *
   * `GET /velocitylimits/{id}`
   */
  getVelocityLimit(id: string, options?: RequestOptions): Promise<VelocityLimit> {
    return this.transport.send('GET', path`/velocitylimits/${id}`, {}, options)
  }

  /**
   * Update a velocity limit.
   *
   * Changes the members that are sent; `null` clears a member that may be absent. The next
   * authorization is decided on the changed limit.
   *
   * `PUT /velocitylimits/{id}`
   */
  updateVelocityLimit(
    id: string,
    body: UpdateVelocityLimitBody,
    options?: RequestOptions & { headers?: UpdateVelocityLimitHeaders },
  ): Promise<VelocityLimit> {
    return this.transport.send('PUT', path`/velocitylimits/${id}`, { body }, options)
  }

  /**
   * Get what a velocity limit leaves.
   *
   * Answers what the limit leaves to a card: the largest amount of the next transaction, the number
   * of transactions, and when the period ends. Fails with `limit_not_linked` if the limit does not
   * apply to the card.
   *
   * Errors of its own: `limit_not_linked`.
   *
   * `GET /velocitylimits/{id}:available`
   */
  getAvailableVelocity(
    id: string,
    query: GetAvailableVelocityQuery,
    options?: RequestOptions,
  ): Promise<AvailableVelocity> {
    return this.transport.send('GET', path`/velocitylimits/${id}:available`, { query }, options)
  }

  /**
   * List the velocity limits of a card product.
   *
   * Lists the velocity limits that are linked to a card product, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cardproducts/{id}/velocitylimits`
   */
  listCardProductVelocityLimits(
    id: string,
    query?: ListCardProductVelocityLimitsQuery,
    options?: RequestOptions,
  ): List<VelocityLimit> {
    return this.transport.list('GET', path`/cardproducts/${id}/velocitylimits`, { query }, options)
  }

  /**
   * Link velocity limits to a card product.
   *
   * Links velocity limits to a card product, at most 20; those that are linked already stay so. The
   * next authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /cardproducts/{id}/velocitylimits:link`
   */
  linkCardProductVelocityLimits(
    id: string,
    body: LinkCardProductVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/cardproducts/${id}/velocitylimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink velocity limits from a card product.
   *
   * Removes links of velocity limits to a card product. Limits without a link stay so.
   *
   * `POST /cardproducts/{id}/velocitylimits:unlink`
   */
  unlinkCardProductVelocityLimits(
    id: string,
    body: UnlinkCardProductVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/cardproducts/${id}/velocitylimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the velocity limits of a card.
   *
   * Lists the velocity limits that are linked to a card, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cards/{id}/velocitylimits`
   */
  listCardVelocityLimits(
    id: string,
    query?: ListCardVelocityLimitsQuery,
    options?: RequestOptions,
  ): List<VelocityLimit> {
    return this.transport.list('GET', path`/cards/${id}/velocitylimits`, { query }, options)
  }

  /**
   * Link velocity limits to a card.
   *
   * Links velocity limits to a card, at most 20; those that are linked already stay so. The next
   * authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /cards/{id}/velocitylimits:link`
   */
  linkCardVelocityLimits(
    id: string,
    body: LinkCardVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/cards/${id}/velocitylimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink velocity limits from a card.
   *
   * Removes links of velocity limits to a card. Limits without a link stay so.
   *
   * `POST /cards/{id}/velocitylimits:unlink`
   */
  unlinkCardVelocityLimits(
    id: string,
    body: UnlinkCardVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/cards/${id}/velocitylimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the velocity limits of a user.
   *
   * Lists the velocity limits that are linked to a user, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /users/{id}/velocitylimits`
   */
  listUserVelocityLimits(
    id: string,
    query?: ListUserVelocityLimitsQuery,
    options?: RequestOptions,
  ): List<VelocityLimit> {
    return this.transport.list('GET', path`/users/${id}/velocitylimits`, { query }, options)
  }

  /**
   * Link velocity limits to a user.
   *
   * Links velocity limits to a user, at most 20; those that are linked already stay so. The next
   * authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /users/{id}/velocitylimits:link`
   */
  linkUserVelocityLimits(
    id: string,
    body: LinkUserVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/users/${id}/velocitylimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink velocity limits from a user.
   *
   * Removes links of velocity limits to a user. Limits without a link stay so.
   *
   * `POST /users/{id}/velocitylimits:unlink`
   */
  unlinkUserVelocityLimits(
    id: string,
    body: UnlinkUserVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/users/${id}/velocitylimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the velocity limits of an account.
   *
   * Lists the velocity limits that are linked to an account, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /accounts/{id}/velocitylimits`
   */
  listAccountVelocityLimits(
    id: string,
    query?: ListAccountVelocityLimitsQuery,
    options?: RequestOptions,
  ): List<VelocityLimit> {
    return this.transport.list('GET', path`/accounts/${id}/velocitylimits`, { query }, options)
  }

  /**
   * Link velocity limits to an account.
   *
   * Links velocity limits to an account, at most 20; those that are linked already stay so. The next
   * authorization is decided with them.
   *
   * Errors of its own: `limits_reached`.
   *
   * `POST /accounts/{id}/velocitylimits:link`
   */
  linkAccountVelocityLimits(
    id: string,
    body: LinkAccountVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/accounts/${id}/velocitylimits:link`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unlink velocity limits from an account.
   *
   * Removes links of velocity limits to an account. Limits without a link stay so.
   *
   * `POST /accounts/{id}/velocitylimits:unlink`
   */
  unlinkAccountVelocityLimits(
    id: string,
    body: UnlinkAccountVelocityLimitsBody,
    options?: RequestOptions,
  ): Promise<LinkedLimits> {
    return this.transport.send(
      'POST',
      path`/accounts/${id}/velocitylimits:unlink`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Get shadow report of a balance limit.
   *
   * Answers what the balance limit would have declined while its mode was SHADOW: sums by code and
   * by day in the tenant’s time zone, and the newest approved transactions. Advices are not counted.
   *
   * `GET /balancelimits/{id}:shadow`
   */
  getBalanceLimitShadow(
    id: string,
    query?: GetBalanceLimitShadowQuery,
    options?: RequestOptions,
  ): Promise<ShadowReport> {
    return this.transport.send('GET', path`/balancelimits/${id}:shadow`, { query }, options)
  }

  /**
   * Get shadow report of a velocity limit.
   *
   * Answers what the velocity limit would have declined while its mode was SHADOW: sums by code and
   * by day in the tenant’s time zone, and the newest approved transactions. Advices are not counted.
   *
   * `GET /velocitylimits/{id}:shadow`
   */
  getVelocityLimitShadow(
    id: string,
    query?: GetVelocityLimitShadowQuery,
    options?: RequestOptions,
  ): Promise<ShadowReport> {
    return this.transport.send('GET', path`/velocitylimits/${id}:shadow`, { query }, options)
  }
}
