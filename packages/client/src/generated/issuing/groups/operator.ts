/** Tenants, keys and decisions of the operator. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  ApiKey,
  ApiKeyWithKey,
  ApproveKycRequestBody,
  ApproveKycRequestHeaders,
  ApproveKycRequestQuery,
  ApproveUserBody,
  ApproveUserHeaders,
  ApproveUserQuery,
  BureauAnswer,
  Card,
  ChangeCardStatusAsOperatorBody,
  ChangeCardStatusAsOperatorHeaders,
  ChangeCardStatusAsOperatorQuery,
  ChangeFulfillmentAsOperatorBody,
  ChangeFulfillmentAsOperatorHeaders,
  ChangeFulfillmentAsOperatorQuery,
  Chip,
  Clearing,
  ClearingExport,
  ClearingRecord,
  ConfirmMatchBody,
  ConfirmMatchHeaders,
  ConfirmMatchQuery,
  CreateApiKeyBody,
  CreateMerchantBody,
  CreateTenantBody,
  Deleted,
  DismissMatchBody,
  DismissMatchHeaders,
  DismissMatchQuery,
  Dispute,
  DownloadClearingExportHeaders,
  DownloadClearingExportQuery,
  EndedPayment,
  EndStuckPaymentBody,
  ExchangeNetworkKeysAnswer,
  ExchangeNetworkKeysBody,
  ExportClearingBody,
  Funding,
  FundingBalance,
  FundTenantAsOperatorBody,
  GetReconciliationQuery,
  Identification,
  ImportClearingBody,
  ImportedClearing,
  ImportKeyAsOperatorBody,
  ImportKeyAsOperatorHeaders,
  InstalledKeys,
  Jobs,
  KycRequest,
  ListApiKeysQuery,
  ListAuditRecordsAsOperatorItem,
  ListAuditRecordsAsOperatorQuery,
  ListBureauAnswersQuery,
  ListClearingExportsQuery,
  ListClearingRecordsAnswer,
  ListClearingRecordsQuery,
  ListClearingsQuery,
  ListLowFundingQuery,
  ListMailsQuery,
  ListMatchesQuery,
  ListMerchantKeysQuery,
  ListMerchantsQuery,
  ListNetworksAnswer,
  ListOutgoingDisputesAnswer,
  ListOutgoingDisputesQuery,
  ListPayoutsAsOperatorQuery,
  ListRatesQuery,
  ListReviewsQuery,
  ListSettlementsQuery,
  ListStuckPaymentsQuery,
  ListTenantsQuery,
  LowFunding,
  Mail,
  MarkPayoutFailedBody,
  MarkPayoutFailedHeaders,
  MarkPayoutPaidBody,
  MarkPayoutPaidHeaders,
  Merchant,
  MerchantDispute,
  MerchantKey,
  NewMerchantKey,
  OperatorPayout,
  Processes,
  ProductKeys,
  ProgramAccount,
  ProtectionKey,
  Rate,
  Rates,
  Reconciliation,
  RecordChargebackBody,
  RecordChargebackStepBody,
  RecordChargebackStepHeaders,
  RecordDisputeStepBody,
  RecordDisputeStepHeaders,
  RecordDisputeStepQuery,
  RejectIdentificationBody,
  RejectIdentificationHeaders,
  RejectIdentificationQuery,
  RejectKycRequestBody,
  RejectKycRequestHeaders,
  RejectKycRequestQuery,
  RejectUserBody,
  RejectUserHeaders,
  RejectUserQuery,
  RequestScriptAsOperatorBody,
  RequestScriptAsOperatorHeaders,
  ResolveClearingRecordBody,
  ResolveClearingRecordHeaders,
  Review,
  RevokeMerchantKeyAnswer,
  ScreeningMatch,
  SendCardOrdersBody,
  SentOrders,
  SetKeyBlockProtectionKeyAsOperatorBody,
  SetKeyBlockProtectionKeyAsOperatorHeaders,
  SetRatesBody,
  Settlement,
  SettlementSummary,
  StuckPayment,
  Tenant,
  TenantSettings,
  TenantWithKey,
  UpdateMerchantBody,
  UpdateMerchantHeaders,
  UpdateSettingsAsOperatorBody,
  UpdateSettingsAsOperatorHeaders,
  Usage,
  User,
  VerifyIdentificationBody,
  VerifyIdentificationHeaders,
  VerifyIdentificationQuery,
} from '../types.ts'

/** Tenants, keys and decisions of the operator. */
export class OperatorGroup extends Group {
  /**
   * Get the usage of any tenant.
   *
   * Returns how much of its quotas a tenant uses.
   *
   * `GET /operator/tenants/{id}/usage`
   */
  getUsage(id: string, options?: RequestOptions): Promise<Usage> {
    return this.transport.send('GET', path`/operator/tenants/${id}/usage`, {}, options)
  }

  /**
   * Create a tenant.
   *
   * Creates a tenant with its first API key, which has every client permission. The key is returned
   * in this answer only; it cannot be retrieved later.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /operator/tenants`
   */
  createTenant(body: CreateTenantBody, options?: RequestOptions): Promise<TenantWithKey> {
    return this.transport.send('POST', '/operator/tenants', { body, keyed: true }, options)
  }

  /**
   * List tenants.
   *
   * Lists all tenants with their settings, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/tenants`
   */
  listTenants(query?: ListTenantsQuery, options?: RequestOptions): List<Tenant> {
    return this.transport.list('GET', '/operator/tenants', { query }, options)
  }

  /**
   * Get a tenant.
   *
   * Returns one tenant with its settings.
   *
   * `GET /operator/tenants/{id}`
   */
  getTenant(id: string, options?: RequestOptions): Promise<Tenant> {
    return this.transport.send('GET', path`/operator/tenants/${id}`, {}, options)
  }

  /**
   * Get the settings of any tenant.
   *
   * Returns every setting that applies to a tenant, with the default in place of a setting that was
   * never set.
   *
   * `GET /operator/tenants/{id}/settings`
   */
  getSettings(id: string, options?: RequestOptions): Promise<TenantSettings> {
    return this.transport.send('GET', path`/operator/tenants/${id}/settings`, {}, options)
  }

  /**
   * Update the settings of any tenant.
   *
   * Changes only the settings that are sent, including those that only the operator may change; null
   * restores the default, objects merge member by member, and lists are replaced. Answers all
   * settings; if a responder is set for the first time, with its signing secret, which no later
   * answer contains.
   *
   * `PUT /operator/tenants/{id}/settings`
   */
  updateSettings(
    id: string,
    body: UpdateSettingsAsOperatorBody,
    options?: RequestOptions & { headers?: UpdateSettingsAsOperatorHeaders },
  ): Promise<TenantSettings> {
    return this.transport.send('PUT', path`/operator/tenants/${id}/settings`, { body }, options)
  }

  /**
   * Create an API key.
   *
   * Creates a further API key for a tenant, with the permissions that are sent. The key is returned
   * in this answer only; it cannot be retrieved later. Beyond `api_keys_max` of the settings it
   * fails with `too_many_keys`.
   *
   * Errors of its own: `too_many_keys`.
   *
   * `POST /operator/tenants/{id}/keys`
   */
  createApiKey(
    id: string,
    body: CreateApiKeyBody,
    options?: RequestOptions,
  ): Promise<ApiKeyWithKey> {
    return this.transport.send(
      'POST',
      path`/operator/tenants/${id}/keys`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the API keys of a tenant.
   *
   * Lists the API keys of a tenant that are not revoked, newest first. A key is identified by its
   * hint; its value is not returned.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/tenants/{id}/keys`
   */
  listApiKeys(id: string, query?: ListApiKeysQuery, options?: RequestOptions): List<ApiKey> {
    return this.transport.list('GET', path`/operator/tenants/${id}/keys`, { query }, options)
  }

  /**
   * Revoke an API key.
   *
   * Revokes an API key. Requests with it then fail with `unauthenticated`. A key that was revoked
   * before fails with `not_found`.
   *
   * `DELETE /operator/tenants/{id}/keys/{key_id}`
   */
  revokeApiKey(id: string, key_id: string, options?: RequestOptions): Promise<Deleted> {
    return this.transport.send('DELETE', path`/operator/tenants/${id}/keys/${key_id}`, {}, options)
  }

  /**
   * List audit records of any tenant.
   *
   * Lists the audit records of a tenant, newest first, in pages; without `tenant_id` those of
   * actions of the operator that are about no tenant.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/audit`
   */
  listAuditRecords(
    query?: ListAuditRecordsAsOperatorQuery,
    options?: RequestOptions,
  ): List<ListAuditRecordsAsOperatorItem> {
    return this.transport.list('GET', '/operator/audit', { query }, options)
  }

  /**
   * List users that await review.
   *
   * Lists the users of all tenants that await compliance, newest first, with their identifications,
   * open KYC requests, matches and checks. These are users in PENDINGKYB, users suspended by
   * compliance, users whose KYC request no service has decided or whose service does not answer, and
   * users with an open match, whatever their status is. A page has at most 50 users.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/reviews`
   */
  listReviews(query?: ListReviewsQuery, options?: RequestOptions): List<Review> {
    return this.transport.list('GET', '/operator/reviews', { query }, options)
  }

  /**
   * Approve a user.
   *
   * Makes a user ACTIVE that is PENDINGKYB or that compliance has suspended (reason S5). Any other
   * state fails with `user_status_move_refused`, and an open match of the user, or of one of the
   * people of a BUSINESS, with `matches_open`. Sends USER_STATUS_CHANGE.
   *
   * Errors of its own: `user_status_move_refused`, `review_outdated`, `tenant_ambiguous`,
   * `matches_open`.
   *
   * `POST /operator/users/{id}:approve`
   */
  approveUser(
    id: string,
    body?: ApproveUserBody,
    query?: ApproveUserQuery,
    options?: RequestOptions & { headers?: ApproveUserHeaders },
  ): Promise<User> {
    return this.transport.send(
      'POST',
      path`/operator/users/${id}:approve`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Reject a user.
   *
   * Suspends a user whose documents are not in order, with reason S5; the client is then expected to
   * provide additional documents. A TERMINATED user, or one suspended by compliance already, fails
   * with `user_status_move_refused`. Sends USER_STATUS_CHANGE.
   *
   * Errors of its own: `user_status_move_refused`, `review_outdated`, `tenant_ambiguous`.
   *
   * `POST /operator/users/{id}:reject`
   */
  rejectUser(
    id: string,
    body: RejectUserBody,
    query?: RejectUserQuery,
    options?: RequestOptions & { headers?: RejectUserHeaders },
  ): Promise<User> {
    return this.transport.send(
      'POST',
      path`/operator/users/${id}:reject`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Verify an identification.
   *
   * Sets `document_status` of an identification to VERIFIED. Sends no event and leaves the status of
   * the user as it is. Fails with `review_outdated` if `modified` is sent and the identification or
   * one of its files has changed since.
   *
   * Errors of its own: `user_terminated`, `review_outdated`, `tenant_ambiguous`.
   *
   * `POST /operator/identifications/{id}:verify`
   */
  verifyIdentification(
    id: string,
    body?: VerifyIdentificationBody,
    query?: VerifyIdentificationQuery,
    options?: RequestOptions & { headers?: VerifyIdentificationHeaders },
  ): Promise<Identification> {
    return this.transport.send(
      'POST',
      path`/operator/identifications/${id}:verify`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Reject an identification.
   *
   * Sets `document_status` of an identification to REJECTED, with the reason. Sends no event and
   * leaves the status of the user as it is. Fails with `review_outdated` if `modified` is sent and
   * the identification or one of its files has changed since.
   *
   * Errors of its own: `user_terminated`, `review_outdated`, `tenant_ambiguous`.
   *
   * `POST /operator/identifications/{id}:reject`
   */
  rejectIdentification(
    id: string,
    body: RejectIdentificationBody,
    query?: RejectIdentificationQuery,
    options?: RequestOptions & { headers?: RejectIdentificationHeaders },
  ): Promise<Identification> {
    return this.transport.send(
      'POST',
      path`/operator/identifications/${id}:reject`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Approve a KYC request.
   *
   * Ends a KYC request with status OK and sends KYC_RESULT. A user that is still PENDINGKYC becomes
   * ACTIVE, which sends USER_STATUS_CHANGE. A request that has a result fails with `kyc_decided`,
   * one of a user with an open match with `matches_open`.
   *
   * Errors of its own: `kyc_decided`, `tenant_ambiguous`, `matches_open`.
   *
   * `POST /operator/kyc/{id}:approve`
   */
  approveKycRequest(
    id: string,
    body?: ApproveKycRequestBody,
    query?: ApproveKycRequestQuery,
    options?: RequestOptions & { headers?: ApproveKycRequestHeaders },
  ): Promise<KycRequest> {
    return this.transport.send(
      'POST',
      path`/operator/kyc/${id}:approve`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Reject a KYC request.
   *
   * Ends a KYC request with status FAILED and sends KYC_RESULT. The status of the user does not
   * change, and a new request may follow. A request that has a result fails with `kyc_decided`.
   *
   * Errors of its own: `kyc_decided`, `tenant_ambiguous`.
   *
   * `POST /operator/kyc/{id}:reject`
   */
  rejectKycRequest(
    id: string,
    body: RejectKycRequestBody,
    query?: RejectKycRequestQuery,
    options?: RequestOptions & { headers?: RejectKycRequestHeaders },
  ): Promise<KycRequest> {
    return this.transport.send(
      'POST',
      path`/operator/kyc/${id}:reject`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * List matches with watchlists.
   *
   * Lists entries of watchlists that may be users of a tenant, newest first, with how they were
   * judged. Clients do not see them.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/matches`
   */
  listMatches(query?: ListMatchesQuery, options?: RequestOptions): List<ScreeningMatch> {
    return this.transport.list('GET', '/operator/matches', { query }, options)
  }

  /**
   * Dismiss a match.
   *
   * Records that an entry of a watchlist is somebody else. It is not reported again unless it
   * becomes more alike. The status of the user stays as it is. A match that is not OPEN fails with
   * `match_decided`.
   *
   * Errors of its own: `match_decided`, `tenant_ambiguous`.
   *
   * `POST /operator/matches/{id}:dismiss`
   */
  dismissMatch(
    id: string,
    body: DismissMatchBody,
    query?: DismissMatchQuery,
    options?: RequestOptions & { headers?: DismissMatchHeaders },
  ): Promise<ScreeningMatch> {
    return this.transport.send(
      'POST',
      path`/operator/matches/${id}:dismiss`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Confirm a match.
   *
   * Records that an entry of a watchlist is the user. The status of the user stays as it is: suspend
   * the user by `:reject`, or reject its KYC request. A match that is not OPEN fails with
   * `match_decided`.
   *
   * Errors of its own: `match_decided`, `tenant_ambiguous`.
   *
   * `POST /operator/matches/{id}:confirm`
   */
  confirmMatch(
    id: string,
    body: ConfirmMatchBody,
    query?: ConfirmMatchQuery,
    options?: RequestOptions & { headers?: ConfirmMatchHeaders },
  ): Promise<ScreeningMatch> {
    return this.transport.send(
      'POST',
      path`/operator/matches/${id}:confirm`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Set the key block protection key.
   *
   * Sets the key that protects the key blocks of a card product, in place of an earlier one, and
   * answers its check values. The key cannot be read.
   *
   * Errors of its own: `key_by_module_only`.
   *
   * `PUT /operator/tenants/{id}/cardproducts/{card_product_id}/keyblockprotectionkey`
   */
  setKeyBlockProtectionKey(
    id: string,
    card_product_id: string,
    body: SetKeyBlockProtectionKeyAsOperatorBody,
    options?: RequestOptions & { headers?: SetKeyBlockProtectionKeyAsOperatorHeaders },
  ): Promise<ProtectionKey> {
    return this.transport.send(
      'PUT',
      path`/operator/tenants/${id}/cardproducts/${card_product_id}/keyblockprotectionkey`,
      { body },
      options,
    )
  }

  /**
   * Get the check values of keys.
   *
   * Returns the check values of the keys of a card product, and whether its key block protection key
   * is set. No operation returns a key.
   *
   * `GET /operator/tenants/{id}/cardproducts/{card_product_id}/keys`
   */
  getKeys(id: string, card_product_id: string, options?: RequestOptions): Promise<ProductKeys> {
    return this.transport.send(
      'GET',
      path`/operator/tenants/${id}/cardproducts/${card_product_id}/keys`,
      {},
      options,
    )
  }

  /**
   * Import a key of a card product.
   *
   * Replaces one key of a card product by that of a key block (TR-31) and answers the check values
   * of its keys. The usage in the block has to be that of the key: imk_ac E0, imk_smc E1, imk_smi
   * E2, cvk C0, pvk V2, zpk and zpk_aes P0.
   *
   * Errors of its own: `key_block_protection_key_missing`.
   *
   * `POST /operator/tenants/{id}/cardproducts/{card_product_id}/keys`
   */
  importKey(
    id: string,
    card_product_id: string,
    body: ImportKeyAsOperatorBody,
    options?: RequestOptions & { headers?: ImportKeyAsOperatorHeaders },
  ): Promise<InstalledKeys> {
    return this.transport.send(
      'POST',
      path`/operator/tenants/${id}/cardproducts/${card_product_id}/keys`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Set rates of exchange.
   *
   * Sets rates at which card transactions in another currency than that of the account are
   * converted. With `tenant_id` they are rates of that tenant; without it they apply to every tenant
   * that has no own rate of the two currencies. A rate converts `from` to `to`, not the other way,
   * and acts on the next authorization. Rates that are not sent stay; those that are replaced are
   * kept as history.
   *
   * `PUT /operator/rates`
   */
  setRates(body: SetRatesBody, options?: RequestOptions): Promise<Rates> {
    return this.transport.send('PUT', '/operator/rates', { body }, options)
  }

  /**
   * List rates of exchange.
   *
   * Lists the rates of exchange that are in force, newest first; with `history=true` those that were
   * replaced as well.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/rates`
   */
  listRates(query?: ListRatesQuery, options?: RequestOptions): List<Rate> {
    return this.transport.list('GET', '/operator/rates', { query }, options)
  }

  /**
   * Fund a tenant.
   *
   * Adds money to the tenant's program funding account of a currency, from which accounts are
   * loaded. The accounts of the program in that currency are created with the first funding.
   *
   * Errors of its own: `balance_too_large`.
   *
   * `POST /operator/tenants/{id}/funding`
   */
  fundTenant(
    id: string,
    body: FundTenantAsOperatorBody,
    options?: RequestOptions,
  ): Promise<Funding> {
    return this.transport.send(
      'POST',
      path`/operator/tenants/${id}/funding`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the funding balances of a tenant.
   *
   * Lists the tenant's program funding accounts with their balances, one for each currency. The
   * answer is never split into pages.
   *
   * `GET /operator/tenants/{id}/funding`
   */
  listTenantFunding(id: string, options?: RequestOptions): List<FundingBalance> {
    return this.transport.list('GET', path`/operator/tenants/${id}/funding`, {}, options)
  }

  /**
   * List tenants with low funding.
   *
   * Lists the program funding accounts of all tenants that have less available than `below`, by the
   * names of the tenants; at most 200. The answer is never split into pages.
   *
   * `GET /operator/funding`
   */
  listLowFunding(query: ListLowFundingQuery, options?: RequestOptions): List<LowFunding> {
    return this.transport.list('GET', '/operator/funding', { query }, options)
  }

  /**
   * List the program accounts of a tenant.
   *
   * Lists the tenant's own accounts (funding, external, settlement, fees) of each currency. A
   * balance is the sum of the entries of the account. The answer is never split into pages.
   *
   * `GET /operator/tenants/{id}/programaccounts`
   */
  listProgramAccounts(id: string, options?: RequestOptions): List<ProgramAccount> {
    return this.transport.list('GET', path`/operator/tenants/${id}/programaccounts`, {}, options)
  }

  /**
   * Change the card status for any tenant.
   *
   * Moves a card of any tenant, with the reasons of a client and those of the operator, and sends
   * CARD_STATUS_CHANGE. `tenant_id` is required if cards of two tenants have this id.
   *
   * Errors of its own: `tenant_ambiguous`, `card_terminated`, `card_status_move_refused`.
   *
   * `PUT /operator/cards/{id}:statuschange`
   */
  changeCardStatus(
    id: string,
    body: ChangeCardStatusAsOperatorBody,
    query?: ChangeCardStatusAsOperatorQuery,
    options?: RequestOptions & { headers?: ChangeCardStatusAsOperatorHeaders },
  ): Promise<Card> {
    return this.transport.send(
      'PUT',
      path`/operator/cards/${id}:statuschange`,
      { body, query },
      options,
    )
  }

  /**
   * Change the fulfillment status of a card.
   *
   * Moves the fulfillment of a physical card of any tenant by one step and sends
   * CARD_DELIVERY_STATUS_CHANGED. With `delivery_partner` it also sends
   * CARD_DELIVERY_PARTNER_ASSIGNED. The step from FAILED to CREATED clears partner and tracking
   * number, and the card is embossed again. `tenant_id` is required if cards of two tenants have
   * this id.
   *
   * Errors of its own: `tenant_ambiguous`, `card_terminated`, `fulfillment_move_refused`.
   *
   * `PUT /operator/cards/{id}/fulfillment`
   */
  changeFulfillment(
    id: string,
    body: ChangeFulfillmentAsOperatorBody,
    query?: ChangeFulfillmentAsOperatorQuery,
    options?: RequestOptions & { headers?: ChangeFulfillmentAsOperatorHeaders },
  ): Promise<Card> {
    return this.transport.send(
      'PUT',
      path`/operator/cards/${id}/fulfillment`,
      { body, query },
      options,
    )
  }

  /**
   * Send orders of cards now.
   *
   * Orders the physical cards of a tenant that are CREATED at once, instead of at its
   * `card_order_hour`, and tries batches again that wait. They are collected and handed over behind
   * the answer. Without a bureau it fails with `not_configured`.
   *
   * Errors of its own: `not_configured`.
   *
   * `POST /operator/cardorders:send`
   */
  sendCardOrders(body: SendCardOrdersBody, options?: RequestOptions): Promise<SentOrders> {
    return this.transport.send('POST', '/operator/cardorders:send', { body, keyed: true }, options)
  }

  /**
   * List answers of the bureau.
   *
   * Lists the files in which the bureau has answered, newest first, with the lines that are wrong
   * and have no effect.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/bureauanswers`
   */
  listBureauAnswers(query?: ListBureauAnswersQuery, options?: RequestOptions): List<BureauAnswer> {
    return this.transport.list('GET', '/operator/bureauanswers', { query }, options)
  }

  /**
   * Send a script to a chip.
   *
   * Asks for an issuer script to the chip of a card: the answer to the next message with a right
   * cryptogram carries it, approved or declined. A script that was asked for before is sent again.
   * BLOCK does not change the status of the card.
   *
   * `POST /operator/tenants/{id}/cards/{card_id}:script`
   */
  requestScript(
    id: string,
    card_id: string,
    body: RequestScriptAsOperatorBody,
    options?: RequestOptions & { headers?: RequestScriptAsOperatorHeaders },
  ): Promise<Chip> {
    return this.transport.send(
      'POST',
      path`/operator/tenants/${id}/cards/${card_id}:script`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Get the chip of a card.
   *
   * Returns the counter of the chip of a card and the scripts to it.
   *
   * `GET /operator/tenants/{id}/cards/{card_id}/chip`
   */
  getChip(id: string, card_id: string, options?: RequestOptions): Promise<Chip> {
    return this.transport.send(
      'GET',
      path`/operator/tenants/${id}/cards/${card_id}/chip`,
      {},
      options,
    )
  }

  /**
   * List card networks.
   *
   * Lists the card networks of NETWORKS_FILE with their connections, the keys that are honoured now,
   * by their check values, and the last requests for keys.
   *
   * `GET /operator/networks`
   */
  listNetworks(options?: RequestOptions): Promise<ListNetworksAnswer> {
    return this.transport.send('GET', '/operator/networks', {}, options)
  }

  /**
   * Ask a card network for a key.
   *
   * Asks a card network for a new key, by a message of network management (0800). The process that
   * is connected sends it; the key that comes is in use at once in all processes, and the one before
   * is honoured for five minutes more.
   *
   * `POST /operator/networks/{name}:exchangekeys`
   */
  exchangeNetworkKeys(
    name: string,
    body: ExchangeNetworkKeysBody,
    options?: RequestOptions,
  ): Promise<ExchangeNetworkKeysAnswer> {
    return this.transport.send(
      'POST',
      path`/operator/networks/${name}:exchangekeys`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List disputes that have to leave.
   *
   * Lists up to 1,000 disputes of a tenant with a message that has to leave for the card network,
   * longest first.
   *
   * `GET /operator/disputes`
   */
  listOutgoingDisputes(
    query: ListOutgoingDisputesQuery,
    options?: RequestOptions,
  ): Promise<ListOutgoingDisputesAnswer> {
    return this.transport.send('GET', '/operator/disputes', { query }, options)
  }

  /**
   * Record a step of a dispute.
   *
   * Records what the card network said about a dispute of any tenant, where no files bring it, and
   * sends DISPUTE_STATUS_CHANGE. SENT about a transaction that was refunded meanwhile returns the
   * dispute to DRAFT. `tenant_id` is required if two tenants use the id.
   *
   * Errors of its own: `tenant_ambiguous`, `dispute_move_refused`.
   *
   * `POST /operator/disputes/{id}:record`
   */
  recordDisputeStep(
    id: string,
    body: RecordDisputeStepBody,
    query?: RecordDisputeStepQuery,
    options?: RequestOptions & { headers?: RecordDisputeStepHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/operator/disputes/${id}:record`,
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Import a clearing file.
   *
   * Imports a clearing file of a card network. It is checked whole before anything of it is posted:
   * a file with a fault is REJECTED, with its faults. A file that was imported before changes
   * nothing and is `known`; another file with its id (PDS 0105) is 409. The records of an accepted
   * file are posted afterwards, each exactly once.
   *
   * Errors of its own: `clearing_file_differs`.
   *
   * `POST /operator/clearings`
   */
  importClearing(body: ImportClearingBody, options?: RequestOptions): Promise<ImportedClearing> {
    return this.transport.send('POST', '/operator/clearings', { form: body, keyed: true }, options)
  }

  /**
   * List clearing files.
   *
   * Lists the clearing files that were imported, newest first, with their sums.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/clearings`
   */
  listClearings(query?: ListClearingsQuery, options?: RequestOptions): List<Clearing> {
    return this.transport.list('GET', '/operator/clearings', { query }, options)
  }

  /**
   * Get a clearing file.
   *
   * Returns a clearing file with its records summed by state, kind and currency. All sums of one
   * currency together are those of the file.
   *
   * `GET /operator/clearings/{id}`
   */
  getClearing(id: string, options?: RequestOptions): Promise<Clearing> {
    return this.transport.send('GET', path`/operator/clearings/${id}`, {}, options)
  }

  /**
   * List the records of a clearing file.
   *
   * Lists the records of a clearing file in its order, field by field. Card numbers are masked.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/clearings/{id}/records`
   */
  listClearingRecords(
    id: string,
    query?: ListClearingRecordsQuery,
    options?: RequestOptions,
  ): Promise<ListClearingRecordsAnswer> {
    return this.transport.send('GET', path`/operator/clearings/${id}/records`, { query }, options)
  }

  /**
   * Get a record of a clearing file.
   *
   * Returns a record of a clearing file. Its card number is masked.
   *
   * `GET /operator/clearings/{id}/records/{number}`
   */
  getClearingRecord(id: string, number: string, options?: RequestOptions): Promise<ClearingRecord> {
    return this.transport.send(
      'GET',
      path`/operator/clearings/${id}/records/${number}`,
      {},
      options,
    )
  }

  /**
   * Resolve a record in suspense.
   *
   * Resolves a record in suspense, once. POST posts a presentment to a card, whatever its limits
   * say; RETURN takes its amount out of suspense, because the network gets or gives it back;
   * WRITE_OFF books it to the fees of the program.
   *
   * Errors of its own: `record_not_suspended`, `record_not_postable`.
   *
   * `POST /operator/clearings/{id}/records/{number}:resolve`
   */
  resolveClearingRecord(
    id: string,
    number: string,
    body: ResolveClearingRecordBody,
    options?: RequestOptions & { headers?: ResolveClearingRecordHeaders },
  ): Promise<ClearingRecord> {
    return this.transport.send(
      'POST',
      path`/operator/clearings/${id}/records/${number}:resolve`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Write the next outgoing clearing file.
   *
   * Writes what has to leave for the card network into the next clearing file of a tenant: a
   * chargeback (1442) for each dispute, whose step SENT is recorded with it, and a fee message
   * (1740) for each record in suspense that was returned. Each leaves once. A file has up to 50
   * disputes and 1,000 records: export again until `nothing_to_export`. `downloadClearingExport`
   * gives its bytes.
   *
   * Errors of its own: `nothing_to_export`.
   *
   * `POST /operator/clearings:export`
   */
  exportClearing(body: ExportClearingBody, options?: RequestOptions): Promise<ClearingExport> {
    return this.transport.send('POST', '/operator/clearings:export', { body, keyed: true }, options)
  }

  /**
   * List outgoing clearing files.
   *
   * Lists the outgoing clearing files of a tenant, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/clearingexports`
   */
  listClearingExports(
    query: ListClearingExportsQuery,
    options?: RequestOptions,
  ): List<ClearingExport> {
    return this.transport.list('GET', '/operator/clearingexports', { query }, options)
  }

  /**
   * Download an outgoing clearing file.
   *
   * Returns the bytes of an outgoing clearing file: the same each time. It has whole card numbers.
   *
   * Errors of its own: `range_not_satisfiable`.
   *
   * `GET /operator/clearingexports/{id}:download`
   */
  downloadClearingExport(
    id: string,
    query: DownloadClearingExportQuery,
    options?: RequestOptions & { headers?: DownloadClearingExportHeaders },
  ): Promise<Response> {
    return this.transport.raw(
      'GET',
      path`/operator/clearingexports/${id}:download`,
      { query },
      options,
    )
  }

  /**
   * List processes.
   *
   * Lists the processes of the platform, newest first. A process that was stopped is not listed; one
   * that ended otherwise is DOWN for a day.
   *
   * `GET /operator/processes`
   */
  listProcesses(options?: RequestOptions): Promise<Processes> {
    return this.transport.send('GET', '/operator/processes', {}, options)
  }

  /**
   * List jobs.
   *
   * Lists the jobs of every process with their last run and their last failure. Those that fail are
   * first, then those that are overdue.
   *
   * `GET /operator/jobs`
   */
  listJobs(options?: RequestOptions): Promise<Jobs> {
    return this.transport.send('GET', '/operator/jobs', {}, options)
  }

  /**
   * Create a merchant.
   *
   * Creates a merchant of the tenant in `tenant_id`. Members that are left out get the defaults in
   * the descriptions of the fields. A merchant whose `display_name` has no Latin letter and no digit
   * needs a `descriptor`. Fails with `id_taken` when another merchant has the `id` of the request.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /operator/merchants`
   */
  createMerchant(body: CreateMerchantBody, options?: RequestOptions): Promise<Merchant> {
    return this.transport.send('POST', '/operator/merchants', { body, keyed: true }, options)
  }

  /**
   * List merchants.
   *
   * Returns the merchants of every tenant, newest first. `tenant_id` limits the list to one tenant.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/merchants`
   */
  listMerchants(query?: ListMerchantsQuery, options?: RequestOptions): List<Merchant> {
    return this.transport.list('GET', '/operator/merchants', { query }, options)
  }

  /**
   * Get a merchant.
   *
   * Returns the settings of one merchant, with its card acceptor and terminal identification.
   * `descriptor` is there where it was set.
   *
   * `GET /operator/merchants/{id}`
   */
  getMerchant(id: string, options?: RequestOptions): Promise<Merchant> {
    return this.transport.send('GET', path`/operator/merchants/${id}`, {}, options)
  }

  /**
   * Update a merchant.
   *
   * Changes the members that the request contains and leaves the others as they are. A `descriptor`
   * holds for new payments, and cannot be cleared where `display_name` has no Latin letter and no
   * digit; nor can `display_name` become such a name without one. A merchant with status `INACTIVE`
   * gets no tokens, and requests with its tokens fail with `unauthenticated`; the pages of its open
   * checkouts take no payments, until it is `ACTIVE` again. Its endpoints still receive the events
   * of its orders. Orders that exist keep their capture deadline and their deadline policy.
   *
   * `PUT /operator/merchants/{id}`
   */
  updateMerchant(
    id: string,
    body: UpdateMerchantBody,
    options?: RequestOptions & { headers?: UpdateMerchantHeaders },
  ): Promise<Merchant> {
    return this.transport.send('PUT', path`/operator/merchants/${id}`, { body }, options)
  }

  /**
   * Create a key pair of a merchant.
   *
   * Creates a public and a private key, which the merchant exchanges for a token. The answer is the
   * only one that contains the private key. A merchant can have several key pairs.
   *
   * `POST /operator/merchants/{id}/keys`
   */
  createMerchantKey(id: string, options?: RequestOptions): Promise<NewMerchantKey> {
    return this.transport.send(
      'POST',
      path`/operator/merchants/${id}/keys`,
      { keyed: true },
      options,
    )
  }

  /**
   * List the key pairs of a merchant.
   *
   * Returns the key pairs of a merchant, newest first, revoked ones included. Private keys are not
   * returned.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/merchants/{id}/keys`
   */
  listMerchantKeys(
    id: string,
    query?: ListMerchantKeysQuery,
    options?: RequestOptions,
  ): List<MerchantKey> {
    return this.transport.list('GET', path`/operator/merchants/${id}/keys`, { query }, options)
  }

  /**
   * Revoke a key pair of a merchant.
   *
   * Revokes a key pair at once. The tokens of the key pair become invalid with it. A key pair that
   * is revoked already keeps its time of revocation.
   *
   * `DELETE /operator/merchants/{id}/keys/{key_id}`
   */
  revokeMerchantKey(
    id: string,
    key_id: string,
    options?: RequestOptions,
  ): Promise<RevokeMerchantKeyAnswer> {
    return this.transport.send(
      'DELETE',
      path`/operator/merchants/${id}/keys/${key_id}`,
      {},
      options,
    )
  }

  /**
   * Record a chargeback.
   *
   * Records that the card network took an amount of an order back, where no files bring it, and
   * takes it and the fee from the merchant. Sends CHARGEBACK_STATUS_CHANGE.
   *
   * Errors of its own: `chargeback_exceeds_order`.
   *
   * `POST /operator/chargebacks`
   */
  recordChargeback(body: RecordChargebackBody, options?: RequestOptions): Promise<MerchantDispute> {
    return this.transport.send('POST', '/operator/chargebacks', { body, keyed: true }, options)
  }

  /**
   * Record a step of a chargeback.
   *
   * Records what became of a chargeback, as the merchant sees it. Sends CHARGEBACK_STATUS_CHANGE.
   *
   * Errors of its own: `chargeback_move_refused`.
   *
   * `POST /operator/chargebacks/{id}:record`
   */
  recordChargebackStep(
    id: string,
    body: RecordChargebackStepBody,
    options?: RequestOptions & { headers?: RecordChargebackStepHeaders },
  ): Promise<MerchantDispute> {
    return this.transport.send(
      'POST',
      path`/operator/chargebacks/${id}:record`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the payouts of merchants.
   *
   * Lists the payouts of the merchants of every tenant, newest first. With the status `PENDING` it
   * lists what is to be paid.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/payouts`
   */
  listPayouts(query?: ListPayoutsAsOperatorQuery, options?: RequestOptions): List<OperatorPayout> {
    return this.transport.list('GET', '/operator/payouts', { query }, options)
  }

  /**
   * Mark a payout as paid.
   *
   * Records that a payout with the status `PENDING` or `FAILED` is paid, with the name of the
   * transfer, and sends PAYOUT_PAID. Moves no money itself.
   *
   * Errors of its own: `payout_status_refused`.
   *
   * `POST /operator/payouts/{id}:markPaid`
   */
  markPayoutPaid(
    id: string,
    body: MarkPayoutPaidBody,
    options?: RequestOptions & { headers?: MarkPayoutPaidHeaders },
  ): Promise<OperatorPayout> {
    return this.transport.send(
      'POST',
      path`/operator/payouts/${id}:markPaid`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Mark a payout as failed.
   *
   * Records that a payout with the status `PENDING` could not be paid, with the reason, and sends
   * PAYOUT_FAILED. It is still owed, and may be marked as paid later.
   *
   * Errors of its own: `payout_status_refused`.
   *
   * `POST /operator/payouts/{id}:markFailed`
   */
  markPayoutFailed(
    id: string,
    body: MarkPayoutFailedBody,
    options?: RequestOptions & { headers?: MarkPayoutFailedHeaders },
  ): Promise<OperatorPayout> {
    return this.transport.send(
      'POST',
      path`/operator/payouts/${id}:markFailed`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Reconcile a day.
   *
   * Compares the orders of merchants, the messages of the acquirer, and the transactions and the
   * ledger of the issuer of a day, and the chargebacks of shops with their payouts and the disputes
   * of the issuer, and names each difference by its kind. An entry under way is listed as open. With
   * `Accept: text/csv` the answer has every difference, every open entry and the sums of each
   * merchant, whatever their number. A process makes two at one time; a further one fails with
   * `reconciliations_running`.
   *
   * Errors of its own: `reconciliations_running`.
   *
   * `GET /operator/reconciliation`
   */
  getReconciliation(
    query: GetReconciliationQuery,
    options?: RequestOptions,
  ): Promise<Reconciliation> {
    return this.transport.send('GET', '/operator/reconciliation', { query }, options)
  }

  /**
   * Reconcile a day, as text/csv.
   *
   * Compares the orders of merchants, the messages of the acquirer, and the transactions and the
   * ledger of the issuer of a day, and the chargebacks of shops with their payouts and the disputes
   * of the issuer, and names each difference by its kind. An entry under way is listed as open. With
   * `Accept: text/csv` the answer has every difference, every open entry and the sums of each
   * merchant, whatever their number. A process makes two at one time; a further one fails with
   * `reconciliations_running`.
   *
   * Errors of its own: `reconciliations_running`.
   *
   * `GET /operator/reconciliation`
   */
  getReconciliationAsCsv(
    query: GetReconciliationQuery,
    options?: RequestOptions,
  ): Promise<Response> {
    return this.transport.raw(
      'GET',
      '/operator/reconciliation',
      { query, accept: 'text/csv' },
      options,
    )
  }

  /**
   * List settlement files.
   *
   * Lists the settlement files of acquirers that were imported, newest first, with their sums and
   * the number of findings of each kind.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/settlements`
   */
  listSettlements(query?: ListSettlementsQuery, options?: RequestOptions): List<SettlementSummary> {
    return this.transport.list('GET', '/operator/settlements', { query }, options)
  }

  /**
   * Get a settlement file.
   *
   * Returns a settlement file that was imported, with the first 500 of what the comparison with the
   * book of the issuer has found.
   *
   * `GET /operator/settlements/{id}`
   */
  getSettlement(id: string, options?: RequestOptions): Promise<Settlement> {
    return this.transport.send('GET', path`/operator/settlements/${id}`, {}, options)
  }

  /**
   * List payments that are stuck.
   *
   * Lists the payments, captures and refunds of the shops of every tenant that come to no outcome by
   * themselves, newest first: their card is not stored, so that no reversal can be sent, or their
   * issuer has not answered for 24 hours. Ask the issuer about `rrn`.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/payments`
   */
  listStuckPayments(query?: ListStuckPaymentsQuery, options?: RequestOptions): List<StuckPayment> {
    return this.transport.list('GET', '/operator/payments', { query }, options)
  }

  /**
   * End a payment that is stuck.
   *
   * Ends a payment, capture or refund that is stuck with the outcome that its issuer states. An
   * approved one has the effect of the approval: a payment opens its order. A declined one moves no
   * money: the reference of a payment is free for a new checkout. No message about it is sent any
   * more. If the issuer is this program, its transactions must agree.
   *
   * Errors of its own: `payment_not_stuck`, `payment_already_ended`, `payment_outcome_contradicted`.
   *
   * `POST /operator/payments/{id}:end`
   */
  endStuckPayment(
    id: string,
    body: EndStuckPaymentBody,
    options?: RequestOptions,
  ): Promise<EndedPayment> {
    return this.transport.send(
      'POST',
      path`/operator/payments/${id}:end`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List kept mails.
   *
   * Lists the mails of the portal that a sandbox without `SMTP_URL` has kept instead of sending
   * them, newest first. They are kept for 30 days.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /operator/mails`
   */
  listMails(query?: ListMailsQuery, options?: RequestOptions): List<Mail> {
    return this.transport.list('GET', '/operator/mails', { query }, options)
  }
}
