import { route } from '#kit/http/route.ts'
import { IdPath, ListOf } from '#kit/http/schema.ts'
import { presentRevealed, presentToken, readProvisioning } from './present.ts'
import { Provisioning, RevealedToken, Token, TokenChange, TokenQuery } from './schema.ts'
import {
  changeTokenStatus,
  findToken,
  listTokens,
  lockToken,
  provisionCard,
  revealToken,
} from './tokens.ts'

export const tokenRoutes = [
  route({
    id: 'provisionCard',
    tag: 'Wallet tokens',
    description:
      'Makes a wallet token for an ACTIVE card and sends CARD_PROVISIONING. A card has at most ' +
      'ten tokens that are not deleted. A wrong expiry date or CVV2 fails with ' +
      '`card_data_mismatch`, sends CARD_PROVISIONING with the status REFUSED and is counted; the ' +
      'fifth in a row blocks provisioning of the card for 24 hours (`provisioning_blocked`), in ' +
      'which no data is compared, and suspends an ACTIVE card (P0). A card that replaces another ' +
      'has none of its tokens.',
    method: 'POST',
    path: '/cards:provision',
    permission: 'write',
    summary: 'Provision a card to a wallet',
    body: Provisioning,
    answer: Token,
    errors: [
      'card_data_mismatch',
      'provisioning_blocked',
      'card_not_active',
      'tokens_per_card_reached',
      'pan_range_exhausted',
    ],
    run: async (ctx, { body }) => presentToken(await provisionCard(ctx, readProvisioning(body))),
  }),
  route({
    id: 'listCardTokens',
    tag: 'Wallet tokens',
    description:
      'Lists the wallet tokens of a card, newest first, in pages. Deleted tokens are included.',
    method: 'GET',
    path: '/cards/{id}/tokens',
    permission: 'read',
    summary: 'List the wallet tokens of a card',
    params: IdPath,
    query: TokenQuery,
    answer: ListOf(Token),
    errors: ['not_found'],
    run: async (ctx, { params, query }) => {
      const page = await listTokens(ctx, params.id, query)
      return { ...page, data: page.data.map(presentToken) }
    },
  }),
  route({
    id: 'getToken',
    tag: 'Wallet tokens',
    description: 'Answers one wallet token. The full token number is not part of it.',
    method: 'GET',
    path: '/tokens/{id}',
    permission: 'read',
    summary: 'Get a wallet token',
    params: IdPath,
    answer: Token,
    errors: ['not_found'],
    lock: (tx, { id }) => lockToken(tx, id),
    run: async (ctx, { params }) => presentToken(await findToken(ctx, params.id)),
  }),
  route({
    id: 'changeTokenStatus',
    tag: 'Wallet tokens',
    description:
      'Suspends, resumes or deletes a wallet token and sends TOKEN_NOTIFICATION. DELETED is ' +
      'final. The status of the card does not change.',
    method: 'PUT',
    path: '/tokens/{id}',
    permission: 'write',
    summary: 'Change the status of a wallet token',
    params: IdPath,
    body: TokenChange,
    answer: Token,
    errors: ['not_found', 'token_status_move_refused'],
    run: async (ctx, { params, body }) =>
      presentToken(await changeTokenStatus(ctx, params.id, body)),
  }),
  route({
    id: 'revealToken',
    tag: 'Wallet tokens',
    description:
      'Answers the full token number and its expiry date. Only tenants that are PCI compliant ' +
      'may call it, with an API key that has the permission `cards:reveal`. ' +
      'Beyond `card_details_per_hour` of the settings it fails with `rate_limited`.',
    method: 'GET',
    path: '/tokens/{id}:reveal',
    permission: 'cards:reveal',
    answersCardData: true,
    summary: 'Reveal the number of a wallet token',
    params: IdPath,
    answer: RevealedToken,
    errors: ['pci_compliance_required', 'not_found'],
    run: async (ctx, { params }) => presentRevealed(await revealToken(ctx, params.id)),
  }),
]
