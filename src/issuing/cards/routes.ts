import { TenantQuery } from '#issuing/tenants/schema.ts'
import { objectOfAnyTenant } from '#issuing/tenants/tenants.ts'
import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath, ListOf } from '#kit/http/schema.ts'
import {
  changeAuthSettings,
  changeCardStatus,
  changeCardStatusAsOperator,
  changeFulfillmentAsOperator,
  createCard,
  createCardInList,
  findCard,
  linkCard,
  listCards,
  revealCard,
  updateCard,
} from './cards.ts'
import { presentAuthSettings, presentCard, presentRevealed } from './present.ts'
import {
  Card,
  CardAuthSettings,
  CardAuthSettingsInput,
  CardChanges,
  CardLink,
  CardQuery,
  FulfillmentChange,
  NewCard,
  RevealedCard,
  StatusChange,
} from './schema.ts'

const operatorsCard = objectOfAnyTenant('cards', Card, async (tx, id) =>
  presentCard(await findCard(tx, id)),
)

export const cardRoutes = [
  route({
    id: 'createCard',
    tag: 'Cards',
    description:
      'Issues a card for an ACTIVE user under a card product and sends SUCCESSFULLY_CREATED. ' +
      'If the product links accounts at issuing, a new account is opened, or `account_id` ' +
      'names an ACTIVE account of the same user, product and currency. `reference_card_id` makes ' +
      'the card a replacement of a TERMINATED card of the same user, product and account, with ' +
      'its name, settings and limits; a card is replaced once.',
    method: 'POST',
    changes: ['user_id', 'account_id'],
    path: '/cards',
    permission: 'write',
    summary: 'Issue a card',
    body: NewCard,
    answer: Card,
    errors: [
      'id_taken',
      'user_not_active',
      'cards_per_user_reached',
      'pan_range_exhausted',
      'account_not_active',
      'account_not_fitting',
      'card_not_terminated',
      'card_already_replaced',
    ],
    listed: (ctx, { body }, keep) =>
      createCardInList(ctx, { request: body, present: presentCard, keep }),
    run: async (ctx, { body }) => presentCard(await createCard(ctx, body)),
  }),
  route({
    id: 'listCards',
    tag: 'Cards',
    description:
      'Lists the cards of the tenant, newest first, in pages. Several filters combine with AND.',
    method: 'GET',
    path: '/cards',
    permission: 'read',
    summary: 'List cards',
    query: CardQuery,
    answer: ListOf(Card),
    run: async (ctx, { query }) => {
      const page = await listCards(ctx, query)
      return { ...page, data: page.data.map(presentCard) }
    },
  }),
  route({
    id: 'getCard',
    tag: 'Cards',
    description: 'Answers one card. The full card number and the CVV2 are not part of it.',
    method: 'GET',
    path: '/cards/{id}',
    permission: 'read',
    summary: 'Get a card',
    params: IdPath,
    answer: Card,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'cards', params.id),
    run: async (ctx, { params }) => presentCard(await findCard(ctx, params.id)),
  }),
  route({
    id: 'updateCard',
    tag: 'Cards',
    description:
      'Changes the members that are sent; `null` clears a member. A TERMINATED card cannot be ' +
      'changed. `change_to_physical` starts the migration of an ACTIVE virtual card to a ' +
      'physical card: the status reason becomes AT, the fulfillment CREATED, the authorization ' +
      'settings are frozen, and CARD_STATUS_CHANGE is sent.',
    method: 'PUT',
    path: '/cards/{id}',
    permission: 'write',
    summary: 'Update a card',
    params: IdPath,
    body: CardChanges,
    answer: Card,
    errors: ['not_found', 'card_terminated', 'card_migrating', 'card_migration_refused'],
    run: async (ctx, { params, body }) => presentCard(await updateCard(ctx, params.id, body)),
  }),
  route({
    id: 'getCardAuthSettings',
    tag: 'Cards',
    description:
      'Answers the settings of the card itself. An authorization must be allowed by the card ' +
      'product and by the card; a switch that is absent allows.',
    method: 'GET',
    path: '/cards/{id}/authsettings',
    permission: 'read',
    summary: 'Get the authorization settings of a card',
    params: IdPath,
    answer: CardAuthSettings,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'cards', params.id),
    run: async (ctx, { params }) => presentAuthSettings(await findCard(ctx, params.id)),
  }),
  route({
    id: 'updateCardAuthSettings',
    tag: 'Cards',
    description:
      'Changes the switches and amounts that are sent; `null` clears a member. The settings of a ' +
      'TERMINATED card and of a card in migration to a physical card cannot be changed. The ids ' +
      'of lists may be sent here too.',
    method: 'PUT',
    path: '/cards/{id}/authsettings',
    permission: 'write',
    summary: 'Update the authorization settings of a card',
    params: IdPath,
    body: CardAuthSettingsInput,
    answer: CardAuthSettings,
    errors: ['not_found', 'card_terminated', 'card_migrating'],
    run: async (ctx, { params, body }) =>
      presentAuthSettings(await changeAuthSettings(ctx, params.id, body)),
  }),
  route({
    id: 'changeCardStatus',
    tag: 'Cards',
    description:
      'Moves the card to a status and reason that its present status and reason allow, and sends ' +
      'CARD_STATUS_CHANGE. TERMINATED is final. Reasons reserved for the operator and the ' +
      'platform are rejected with `card_status_move_refused`.',
    method: 'PUT',
    path: '/cards/{id}:statuschange',
    permission: 'write',
    summary: 'Change the status of a card',
    params: IdPath,
    body: StatusChange,
    answer: Card,
    errors: ['not_found', 'card_terminated', 'card_status_move_refused'],
    run: async (ctx, { params, body }) => presentCard(await changeCardStatus(ctx, params.id, body)),
  }),
  route({
    id: 'changeCardStatusAsOperator',
    tag: 'Operator',
    description:
      'Moves a card of any tenant, with the reasons of a client and those of the operator, and ' +
      'sends CARD_STATUS_CHANGE. `tenant_id` is required if cards of two tenants have this ' +
      'id.',
    method: 'PUT',
    path: '/operator/cards/{id}:statuschange',
    permission: 'operator',
    summary: 'Change the card status for any tenant',
    params: IdPath,
    query: TenantQuery,
    body: StatusChange,
    answer: Card,
    errors: ['not_found', 'tenant_ambiguous', 'card_terminated', 'card_status_move_refused'],
    object: operatorsCard,
    run: (ctx, { params, query, body }) => changeCardStatusAsOperator(ctx, params.id, query, body),
  }),
  route({
    id: 'changeFulfillmentAsOperator',
    tag: 'Operator',
    description:
      'Moves the fulfillment of a physical card of any tenant by one step and sends ' +
      'CARD_DELIVERY_STATUS_CHANGED. With `delivery_partner` it also sends ' +
      'CARD_DELIVERY_PARTNER_ASSIGNED. The step from FAILED to CREATED clears partner and ' +
      'tracking number, and the card is embossed again. `tenant_id` is required if cards of ' +
      'two tenants have this id.',
    method: 'PUT',
    path: '/operator/cards/{id}/fulfillment',
    permission: 'operator',
    summary: 'Change the fulfillment status of a card',
    params: IdPath,
    query: TenantQuery,
    body: FulfillmentChange,
    answer: Card,
    errors: ['not_found', 'tenant_ambiguous', 'card_terminated', 'fulfillment_move_refused'],
    object: operatorsCard,
    run: (ctx, { params, query, body }) => changeFulfillmentAsOperator(ctx, params.id, query, body),
  }),
  route({
    id: 'linkCard',
    tag: 'Cards',
    description:
      'Gives a card the user or the account that it was issued without. Without `account_id` the ' +
      'account of the card is used, or a new one is opened and SUCCESSFULLY_CREATED is sent for ' +
      'it. The user must be ACTIVE. A user or account that the card already has cannot be ' +
      'changed. The account of a card of a bulk issuance passes to the user.',
    method: 'POST',
    path: '/cards/{id}:link',
    permission: 'write',
    summary: 'Link a card to a user and account',
    params: IdPath,
    body: CardLink,
    answer: Card,
    errors: [
      'not_found',
      'user_not_active',
      'card_terminated',
      'card_already_linked',
      'cards_per_user_reached',
      'account_not_active',
      'account_not_fitting',
    ],
    run: async (ctx, { params, body }) => presentCard(await linkCard(ctx, params.id, body)),
  }),
  route({
    id: 'revealCard',
    tag: 'Cards',
    description:
      'Answers the full card number, the expiry date and the CVV2. Only tenants that are PCI ' +
      'compliant may call it, with an API key that has the permission `cards:reveal`. Beyond ' +
      '`card_details_per_hour` of the settings it fails with `rate_limited`.',
    method: 'GET',
    path: '/cards/{id}:reveal',
    permission: 'cards:reveal',
    answersCardData: true,
    summary: 'Reveal the card number and CVV2',
    params: IdPath,
    answer: RevealedCard,
    errors: ['pci_compliance_required', 'not_found'],
    run: async (ctx, { params }) => presentRevealed(await revealCard(ctx, params.id)),
  }),
]
