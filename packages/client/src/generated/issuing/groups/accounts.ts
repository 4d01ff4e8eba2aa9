/** Account balances, statements and funds. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  Account,
  AccountEntry,
  ChangeAccountStatusBody,
  ChangeAccountStatusHeaders,
  FundingUse,
  FundsMovement,
  ListAccountEntriesQuery,
  ListAccountsQuery,
  ListCardAccountsQuery,
  LoadAccountFundsBody,
  LoadAccountFundsHeaders,
  UnloadAccountFundsBody,
  UnloadAccountFundsHeaders,
} from '../types.ts'

/** Account balances, statements and funds. */
export class AccountsGroup extends Group {
  /**
   * List accounts.
   *
   * Lists card accounts, newest first, of all users, of one user or of one card. Program accounts
   * are not listed.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /accounts`
   */
  list(query?: ListAccountsQuery, options?: RequestOptions): List<Account> {
    return this.transport.list('GET', '/accounts', { query }, options)
  }

  /**
   * Get an account.
   *
   * Returns a card account with its balances and the ids of its cards. The id of a program account
   * answers not_found.
   *
   * `GET /accounts/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Account> {
    return this.transport.send('GET', path`/accounts/${id}`, {}, options)
  }

  /**
   * List the entries of an account.
   *
   * Lists what was posted to the account from `from` up to but without `to`, newest first, with the
   * balance after each entry. Holds are not listed. With `Accept: text/csv` the answer is the whole
   * statement as a CSV file; `limit` then has no effect, and text that a spreadsheet could read as a
   * formula begins with an apostrophe.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /accounts/{id}/transactions`
   */
  listEntries(
    id: string,
    query?: ListAccountEntriesQuery,
    options?: RequestOptions,
  ): List<AccountEntry> {
    return this.transport.list('GET', path`/accounts/${id}/transactions`, { query }, options)
  }

  /**
   * List the entries of an account, as text/csv.
   *
   * Lists what was posted to the account from `from` up to but without `to`, newest first, with the
   * balance after each entry. Holds are not listed. With `Accept: text/csv` the answer is the whole
   * statement as a CSV file; `limit` then has no effect, and text that a spreadsheet could read as a
   * formula begins with an apostrophe.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /accounts/{id}/transactions`
   */
  listEntriesAsCsv(
    id: string,
    query?: ListAccountEntriesQuery,
    options?: RequestOptions,
  ): Promise<Response> {
    return this.transport.raw(
      'GET',
      path`/accounts/${id}/transactions`,
      { query, accept: 'text/csv' },
      options,
    )
  }

  /**
   * List the accounts of a card.
   *
   * Lists the account that is linked to the card. The list is empty while no account is linked.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cards/{id}/accounts`
   */
  listCardAccounts(
    id: string,
    query?: ListCardAccountsQuery,
    options?: RequestOptions,
  ): List<Account> {
    return this.transport.list('GET', path`/cards/${id}/accounts`, { query }, options)
  }

  /**
   * Change the status of an account.
   *
   * Sets the status of the account. Any status may follow any other; the status that the account has
   * already answers account_status_move_refused. Sends ACCOUNT_STATUS_CHANGE.
   *
   * Errors of its own: `account_status_move_refused`.
   *
   * `PUT /accounts/{id}:statuschange`
   */
  changeStatus(
    id: string,
    body: ChangeAccountStatusBody,
    options?: RequestOptions & { headers?: ChangeAccountStatusHeaders },
  ): Promise<Account> {
    return this.transport.send('PUT', path`/accounts/${id}:statuschange`, { body }, options)
  }

  /**
   * Load funds to an account.
   *
   * Moves money from the tenant's program funding account of that currency to the card account, at
   * once. The account must be ACTIVE and the funding account must hold the amount. A dry run makes
   * every check and changes nothing.
   *
   * Errors of its own: `account_not_active`, `insufficient_funds`, `balance_too_large`,
   * `maximum_account_balance_limit_reached`, `maximum_user_balance_limit_reached`.
   *
   * `POST /accounts/{id}:loadfunds`
   */
  loadFunds(
    id: string,
    body: LoadAccountFundsBody,
    options?: RequestOptions & { headers?: LoadAccountFundsHeaders },
  ): Promise<FundsMovement> {
    return this.transport.send(
      'POST',
      path`/accounts/${id}:loadfunds`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Unload funds from an account.
   *
   * Moves money from the card account back to the tenant's program funding account of that currency,
   * at once. The account must be ACTIVE and its available balance must cover the amount. A dry run
   * makes every check and changes nothing.
   *
   * Errors of its own: `account_not_active`, `insufficient_funds`, `balance_too_large`,
   * `minimum_account_balance_limit_reached`, `minimum_user_balance_limit_reached`.
   *
   * `POST /accounts/{id}:unloadfunds`
   */
  unloadFunds(
    id: string,
    body: UnloadAccountFundsBody,
    options?: RequestOptions & { headers?: UnloadAccountFundsHeaders },
  ): Promise<FundsMovement> {
    return this.transport.send(
      'POST',
      path`/accounts/${id}:unloadfunds`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List program funding.
   *
   * Lists the program funding accounts of the tenant, from which accounts are loaded, one for each
   * currency: its balance, the amount that left it lately, and for how many days it lasts at this
   * rate. The answer is never split into pages.
   *
   * `GET /funding`
   */
  listFunding(options?: RequestOptions): List<FundingUse> {
    return this.transport.list('GET', '/funding', {}, options)
  }
}
