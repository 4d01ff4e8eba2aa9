import { route } from '#kit/route.ts'
import { IdPath, ListOf } from '#kit/schema.ts'
import { presentRevealed, presentToken, readProvisioning } from './present.ts'
import { Provisioning, RevealedToken, Token, TokenChange, TokenQuery } from './schema.ts'
import { changeTokenStatus, findToken, listTokens, provisionCard, revealToken } from './tokens.ts'

export const tokenRoutes = [
  route({
    id: 'postCardsProvision',
    tag: 'Wallet tokens',
    description: '',
    method: 'POST',
    path: '/cards:provision',
    permission: 'write',
    summary: 'Put a card into a wallet',
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
    id: 'getCardsIdTokens',
    tag: 'Wallet tokens',
    description: '',
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
    id: 'getTokensId',
    tag: 'Wallet tokens',
    description: '',
    method: 'GET',
    path: '/tokens/{id}',
    permission: 'read',
    summary: 'Read a wallet token',
    params: IdPath,
    answer: Token,
    errors: ['not_found'],
    run: async (ctx, { params }) => presentToken(await findToken(ctx, params.id)),
  }),
  route({
    id: 'putTokensId',
    tag: 'Wallet tokens',
    description: '',
    method: 'PUT',
    path: '/tokens/{id}',
    permission: 'write',
    summary: 'Suspend, resume or delete a wallet token',
    params: IdPath,
    body: TokenChange,
    answer: Token,
    errors: ['not_found', 'token_status_move_refused'],
    run: async (ctx, { params, body }) =>
      presentToken(await changeTokenStatus(ctx, params.id, body)),
  }),
  route({
    id: 'getTokensIdReveal',
    tag: 'Wallet tokens',
    description: '',
    method: 'GET',
    path: '/tokens/{id}:reveal',
    permission: 'cards:reveal',
    summary: 'Read the number and expiry of a wallet token',
    params: IdPath,
    answer: RevealedToken,
    errors: ['pci_compliance_required', 'not_found'],
    run: async (ctx, { params }) => presentRevealed(await revealToken(ctx, params.id)),
  }),
]
