/** Cards in wallets of phones and watches. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  ChangeTokenStatusBody,
  ChangeTokenStatusHeaders,
  ListCardTokensQuery,
  ProvisionCardBody,
  RevealedToken,
  Token,
} from '../types.ts'

/** Cards in wallets of phones and watches. */
export class WalletTokensGroup extends Group {
  /**
   * Provision a card to a wallet.
   *
   * Makes a wallet token for an ACTIVE card and sends CARD_PROVISIONING. A card has at most ten
   * tokens that are not deleted. A wrong expiry date or CVV2 fails with `card_data_mismatch`, sends
   * CARD_PROVISIONING with the status REFUSED and is counted; the fifth in a row blocks provisioning
   * of the card for 24 hours (`provisioning_blocked`), in which no data is compared, and suspends an
   * ACTIVE card (P0). A card that replaces another has none of its tokens.
   *
   * Errors of its own: `card_data_mismatch`, `provisioning_blocked`, `card_not_active`,
   * `tokens_per_card_reached`, `pan_range_exhausted`.
   *
   * `POST /cards:provision`
   */
  provisionCard(body: ProvisionCardBody, options?: RequestOptions): Promise<Token> {
    return this.transport.send('POST', '/cards:provision', { body, keyed: true }, options)
  }

  /**
   * List the wallet tokens of a card.
   *
   * Lists the wallet tokens of a card, newest first, in pages. Deleted tokens are included.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cards/{id}/tokens`
   */
  listCardTokens(id: string, query?: ListCardTokensQuery, options?: RequestOptions): List<Token> {
    return this.transport.list('GET', path`/cards/${id}/tokens`, { query }, options)
  }

  /**
   * Get a wallet token.
   *
   * Answers one wallet token. The full token number is not part of it.
   *
   * `GET /tokens/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Token> {
    return this.transport.send('GET', path`/tokens/${id}`, {}, options)
  }

  /**
   * Change the status of a wallet token.
   *
   * Suspends, resumes or deletes a wallet token and sends TOKEN_NOTIFICATION. DELETED is final. The
   * status of the card does not change.
   *
   * Errors of its own: `token_status_move_refused`.
   *
   * `PUT /tokens/{id}`
   */
  changeStatus(
    id: string,
    body: ChangeTokenStatusBody,
    options?: RequestOptions & { headers?: ChangeTokenStatusHeaders },
  ): Promise<Token> {
    return this.transport.send('PUT', path`/tokens/${id}`, { body }, options)
  }

  /**
   * Reveal the number of a wallet token.
   *
   * Answers the full token number and its expiry date. Only tenants that are PCI compliant may call
   * it, with an API key that has the permission `cards:reveal`. Beyond `card_details_per_hour` of
   * the settings it fails with `rate_limited`.
   *
   * Errors of its own: `pci_compliance_required`.
   *
   * `GET /tokens/{id}:reveal`
   */
  reveal(id: string, options?: RequestOptions): Promise<RevealedToken> {
    return this.transport.send('GET', path`/tokens/${id}:reveal`, {}, options)
  }
}
