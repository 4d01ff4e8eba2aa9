/** Virtual and physical cards, one by one and in bulk. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  BulkIssuance,
  Card,
  CardAuthSettings,
  CardOrder,
  ChangeCardStatusBody,
  ChangeCardStatusHeaders,
  CreateBulkIssuanceBody,
  CreateCardBody,
  CreatedBulkIssuance,
  CreateWidgetTokenBody,
  CreateWidgetTokenHeaders,
  LinkCardBody,
  LinkCardHeaders,
  ListBulkIssuancesQuery,
  ListCardOrdersExtras,
  ListCardOrdersQuery,
  ListCardsQuery,
  RevealedCard,
  UpdateBulkIssuanceBody,
  UpdateBulkIssuanceHeaders,
  UpdateCardAuthSettingsBody,
  UpdateCardAuthSettingsHeaders,
  UpdateCardBody,
  UpdateCardHeaders,
  WidgetToken,
} from '../types.ts'

/** Virtual and physical cards, one by one and in bulk. */
export class CardsGroup extends Group {
  /**
   * Issue a card.
   *
   * Issues a card for an ACTIVE user under a card product and sends SUCCESSFULLY_CREATED. If the
   * product links accounts at issuing, a new account is opened, or `account_id` names an ACTIVE
   * account of the same user, product and currency. `reference_card_id` makes the card a replacement
   * of a TERMINATED card of the same user, product and account, with its name, settings and limits;
   * a card is replaced once.
   *
   * Errors of its own: `id_taken`, `user_not_active`, `cards_per_user_reached`,
   * `pan_range_exhausted`, `account_not_active`, `account_not_fitting`, `card_not_terminated`,
   * `card_already_replaced`.
   *
   * `POST /cards`
   */
  create(body: CreateCardBody, options?: RequestOptions): Promise<Card> {
    return this.transport.send('POST', '/cards', { body, keyed: true }, options)
  }

  /**
   * List cards.
   *
   * Lists the cards of the tenant, newest first, in pages. Several filters combine with AND.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cards`
   */
  list(query?: ListCardsQuery, options?: RequestOptions): List<Card> {
    return this.transport.list('GET', '/cards', { query }, options)
  }

  /**
   * Get a card.
   *
   * Answers one card. The full card number and the CVV2 are not part of it.
   *
   * `GET /cards/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Card> {
    return this.transport.send('GET', path`/cards/${id}`, {}, options)
  }

  /**
   * Update a card.
   *
   * Changes the members that are sent; `null` clears a member. A TERMINATED card cannot be changed.
   * `change_to_physical` starts the migration of an ACTIVE virtual card to a physical card: the
   * status reason becomes AT, the fulfillment CREATED, the authorization settings are frozen, and
   * CARD_STATUS_CHANGE is sent.
   *
   * Errors of its own: `card_terminated`, `card_migrating`, `card_migration_refused`.
   *
   * `PUT /cards/{id}`
   */
  update(
    id: string,
    body: UpdateCardBody,
    options?: RequestOptions & { headers?: UpdateCardHeaders },
  ): Promise<Card> {
    return this.transport.send('PUT', path`/cards/${id}`, { body }, options)
  }

  /**
   * Get the authorization settings of a card.
   *
   * Answers the settings of the card itself. An authorization must be allowed by the card product
   * and by the card; a switch that is absent allows.
   *
   * `GET /cards/{id}/authsettings`
   */
  getAuthSettings(id: string, options?: RequestOptions): Promise<CardAuthSettings> {
    return this.transport.send('GET', path`/cards/${id}/authsettings`, {}, options)
  }

  /**
   * Update the authorization settings of a card.
   *
   * Changes the switches and amounts that are sent; `null` clears a member. The settings of a
   * TERMINATED card and of a card in migration to a physical card cannot be changed. The ids of
   * lists may be sent here too.
   *
   * Errors of its own: `card_terminated`, `card_migrating`.
   *
   * `PUT /cards/{id}/authsettings`
   */
  updateAuthSettings(
    id: string,
    body: UpdateCardAuthSettingsBody,
    options?: RequestOptions & { headers?: UpdateCardAuthSettingsHeaders },
  ): Promise<CardAuthSettings> {
    return this.transport.send('PUT', path`/cards/${id}/authsettings`, { body }, options)
  }

  /**
   * Change the status of a card.
   *
   * Moves the card to a status and reason that its present status and reason allow, and sends
   * CARD_STATUS_CHANGE. TERMINATED is final. Reasons reserved for the operator and the platform are
   * rejected with `card_status_move_refused`.
   *
   * Errors of its own: `card_terminated`, `card_status_move_refused`.
   *
   * `PUT /cards/{id}:statuschange`
   */
  changeStatus(
    id: string,
    body: ChangeCardStatusBody,
    options?: RequestOptions & { headers?: ChangeCardStatusHeaders },
  ): Promise<Card> {
    return this.transport.send('PUT', path`/cards/${id}:statuschange`, { body }, options)
  }

  /**
   * Link a card to a user and account.
   *
   * Gives a card the user or the account that it was issued without. Without `account_id` the
   * account of the card is used, or a new one is opened and SUCCESSFULLY_CREATED is sent for it. The
   * user must be ACTIVE. A user or account that the card already has cannot be changed. The account
   * of a card of a bulk issuance passes to the user.
   *
   * Errors of its own: `user_not_active`, `card_terminated`, `card_already_linked`,
   * `cards_per_user_reached`, `account_not_active`, `account_not_fitting`.
   *
   * `POST /cards/{id}:link`
   */
  link(
    id: string,
    body: LinkCardBody,
    options?: RequestOptions & { headers?: LinkCardHeaders },
  ): Promise<Card> {
    return this.transport.send('POST', path`/cards/${id}:link`, { body, keyed: true }, options)
  }

  /**
   * Reveal the card number and CVV2.
   *
   * Answers the full card number, the expiry date and the CVV2. Only tenants that are PCI compliant
   * may call it, with an API key that has the permission `cards:reveal`. Beyond
   * `card_details_per_hour` of the settings it fails with `rate_limited`.
   *
   * Errors of its own: `pci_compliance_required`.
   *
   * `GET /cards/{id}:reveal`
   */
  reveal(id: string, options?: RequestOptions): Promise<RevealedCard> {
    return this.transport.send('GET', path`/cards/${id}:reveal`, {}, options)
  }

  /**
   * List orders of cards.
   *
   * Lists the batches in which physical cards are ordered from the bureau, newest first, in pages. A
   * batch is a file of the cards of one product.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cardorders`
   */
  listOrders(
    query?: ListCardOrdersQuery,
    options?: RequestOptions,
  ): List<CardOrder, ListCardOrdersExtras> {
    return this.transport.list('GET', '/cardorders', { query }, options)
  }

  /**
   * Get an order of cards.
   *
   * Answers one batch with its state, the name and digest of its file, and how many of its cards the
   * bureau has answered. `card_order_id` of a card names its batch.
   *
   * `GET /cardorders/{id}`
   */
  getOrder(id: string, options?: RequestOptions): Promise<CardOrder> {
    return this.transport.send('GET', path`/cardorders/${id}`, {}, options)
  }

  /**
   * Create a widget token.
   *
   * Creates a single-use token for one card and one widget, and the address of the page to frame.
   * The token expires after five minutes. Only a page of the given `origin` may frame the widget.
   * The card must not be TERMINATED. SET_PIN fails with `pin_by_block_only` where the security
   * module takes PIN blocks alone. A key needs the permission `cards:widget`.
   *
   * Errors of its own: `card_terminated`, `pin_by_block_only`.
   *
   * `POST /cards/{id}:widgettoken`
   */
  createWidgetToken(
    id: string,
    body: CreateWidgetTokenBody,
    options?: RequestOptions & { headers?: CreateWidgetTokenHeaders },
  ): Promise<WidgetToken> {
    return this.transport.send(
      'POST',
      path`/cards/${id}:widgettoken`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Create a bulk issuance.
   *
   * Requests up to 5,000 physical cards without a user. A background job issues all of them or none
   * and sends SUCCESSFULLY_CREATED for each card and account. With `status` DRAFT nothing is issued
   * until the bulk issuance is submitted. With `dry_run` the request is checked against card numbers
   * and funds, and nothing is written.
   *
   * Errors of its own: `id_taken`, `pan_range_exhausted`, `insufficient_funds`,
   * `maximum_account_balance_limit_reached`.
   *
   * `POST /bulkissuances`
   */
  createBulkIssuance(
    body: CreateBulkIssuanceBody,
    options?: RequestOptions,
  ): Promise<CreatedBulkIssuance> {
    return this.transport.send('POST', '/bulkissuances', { body, keyed: true }, options)
  }

  /**
   * List bulk issuances.
   *
   * Lists the bulk issuances of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /bulkissuances`
   */
  listBulkIssuances(query?: ListBulkIssuancesQuery, options?: RequestOptions): List<BulkIssuance> {
    return this.transport.list('GET', '/bulkissuances', { query }, options)
  }

  /**
   * Get a bulk issuance.
   *
   * Answers one bulk issuance with its status and the number of cards issued so far. `GET
   * /cards?bulk_issuance_id=` lists its cards.
   *
   * `GET /bulkissuances/{id}`
   */
  getBulkIssuance(id: string, options?: RequestOptions): Promise<BulkIssuance> {
    return this.transport.send('GET', path`/bulkissuances/${id}`, {}, options)
  }

  /**
   * Update or submit a bulk issuance.
   *
   * Changes the members that are sent of a bulk issuance in the status DRAFT; `null` clears a
   * member. `status` SUBMITTED submits it, and the job begins. Any other status fails with
   * `bulk_issuance_move_refused`.
   *
   * Errors of its own: `bulk_issuance_move_refused`, `maximum_account_balance_limit_reached`.
   *
   * `PUT /bulkissuances/{id}`
   */
  updateBulkIssuance(
    id: string,
    body: UpdateBulkIssuanceBody,
    options?: RequestOptions & { headers?: UpdateBulkIssuanceHeaders },
  ): Promise<BulkIssuance> {
    return this.transport.send('PUT', path`/bulkissuances/${id}`, { body }, options)
  }
}
