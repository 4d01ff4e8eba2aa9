import { route } from '#kit/route.ts'
import { IdPath, ListOf } from '#kit/schema.ts'
import {
  changeAuthSettings,
  changeCardStatus,
  createCard,
  findCard,
  listCards,
  revealCard,
  updateCard,
} from './cards.ts'
import {
  Card,
  CardAuthSettings,
  CardAuthSettingsInput,
  CardChanges,
  CardQuery,
  NewCard,
  RevealedCard,
  StatusChange,
} from './schema.ts'
import { presentAuthSettings, presentCard, presentCards, presentRevealed } from './wire.ts'

export const cardRoutes = [
  route({
    method: 'POST',
    path: '/cards',
    permission: 'write',
    summary: 'Issue a card',
    body: NewCard,
    answer: Card,
    refusals: [
      'id_taken',
      'user_not_active',
      'cards_per_user_reached',
      'pan_range_exhausted',
      'account_not_active',
      'account_not_fitting',
      'card_not_terminated',
      'card_already_replaced',
    ],
    run: async (ctx, { body }) => presentCard(ctx, await createCard(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/cards',
    permission: 'read',
    summary: 'List cards',
    query: CardQuery,
    answer: ListOf(Card),
    run: async (ctx, { query }) => {
      const page = await listCards(ctx, query)
      return { ...page, data: await presentCards(ctx, page.data) }
    },
  }),
  route({
    method: 'GET',
    path: '/cards/{id}',
    permission: 'read',
    summary: 'Read a card',
    params: IdPath,
    answer: Card,
    refusals: ['not_found'],
    run: async (ctx, { params }) => presentCard(ctx, await findCard(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/cards/{id}',
    permission: 'write',
    summary: 'Change a card',
    params: IdPath,
    body: CardChanges,
    answer: Card,
    refusals: ['not_found', 'card_terminated'],
    run: async (ctx, { params, body }) => presentCard(ctx, await updateCard(ctx, params.id, body)),
  }),
  route({
    method: 'GET',
    path: '/cards/{id}/authsettings',
    permission: 'read',
    summary: 'Read the authorization settings of a card',
    params: IdPath,
    answer: CardAuthSettings,
    refusals: ['not_found'],
    run: async (ctx, { params }) => presentAuthSettings(ctx, await findCard(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/cards/{id}/authsettings',
    permission: 'write',
    summary: 'Change the authorization settings of a card',
    params: IdPath,
    body: CardAuthSettingsInput,
    answer: CardAuthSettings,
    refusals: ['not_found', 'card_terminated'],
    run: async (ctx, { params, body }) =>
      presentAuthSettings(ctx, await changeAuthSettings(ctx, params.id, body)),
  }),
  route({
    method: 'PUT',
    path: '/cards/{id}:statuschange',
    permission: 'write',
    summary: 'Change the status of a card',
    params: IdPath,
    body: StatusChange,
    answer: Card,
    refusals: ['not_found', 'card_terminated', 'card_status_move_refused'],
    run: async (ctx, { params, body }) =>
      presentCard(ctx, await changeCardStatus(ctx, params.id, body)),
  }),
  route({
    method: 'GET',
    path: '/cards/{id}:reveal',
    permission: 'cards:reveal',
    summary: 'Read the number, expiry and CVV2 of a card',
    params: IdPath,
    answer: RevealedCard,
    refusals: ['pci_compliance_required', 'not_found'],
    run: async (ctx, { params }) => presentRevealed(await revealCard(ctx, params.id)),
  }),
]
