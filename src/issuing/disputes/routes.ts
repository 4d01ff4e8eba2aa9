import { TenantQuery } from '#issuing/tenants/schema.ts'
import { objectOfAnyTenant, withinTenantOf } from '#issuing/tenants/tenants.ts'
import { transact } from '#kit/context.ts'
import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import {
  changeDispute,
  findDispute,
  listDisputes,
  listOutgoing,
  moveDispute,
  openDispute,
  recordNetworkMove,
} from './disputes.ts'
import { reasonCodes } from './rules/reasons.ts'
import type { Step } from './rules/states.ts'
import {
  Dispute,
  DisputeChanges,
  DisputeList,
  DisputeQuery,
  MoveNote,
  NetworkMove,
  NewDispute,
  OutgoingDisputes,
  OutgoingQuery,
  ReasonCodes,
} from './schema.ts'

const opening = ['nothing_to_dispute', 'dispute_exceeds_amount', 'dispute_too_late'] as const

const objectRoutes = [
  route({
    id: 'openDispute',
    tag: 'Disputes',
    description:
      'Opens a dispute about what is settled of a card transaction, as a DRAFT that moves no ' +
      'money, and sends DISPUTE_STATUS_CHANGE. Disputes and refunds of a transaction are ' +
      'together never above what is settled.',
    method: 'POST',
    path: '/disputes',
    permission: 'write',
    summary: 'Open a dispute',
    body: NewDispute,
    answer: Dispute,
    errors: ['id_taken', ...opening],
    run: (ctx, { body }) => openDispute(ctx, body),
  }),
  route({
    id: 'listDisputes',
    tag: 'Disputes',
    description: 'Lists disputes, newest first or by their deadline. The filters combine.',
    method: 'GET',
    path: '/disputes',
    permission: 'read',
    summary: 'List disputes',
    query: DisputeQuery,
    answer: DisputeList,
    run: (ctx, { query }) => listDisputes(ctx, query),
  }),
  route({
    id: 'getDispute',
    tag: 'Disputes',
    description: 'Returns a dispute as it is now, with the steps of its life in `moves`.',
    method: 'GET',
    path: '/disputes/{id}',
    permission: 'read',
    summary: 'Get a dispute',
    params: IdPath,
    answer: Dispute,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'disputes', params.id),
    run: (ctx, { params }) => findDispute(ctx, params.id),
  }),
  route({
    id: 'updateDispute',
    tag: 'Disputes',
    description: 'Changes only the fields that are sent, of a dispute that is a DRAFT.',
    method: 'PUT',
    path: '/disputes/{id}',
    permission: 'write',
    summary: 'Update a dispute',
    params: IdPath,
    body: DisputeChanges,
    answer: Dispute,
    errors: ['not_found', 'dispute_not_draft', ...opening],
    run: (ctx, { params, body }) => changeDispute(ctx, params.id, body),
  }),
  route({
    id: 'listDisputeReasons',
    tag: 'Disputes',
    description:
      'Lists the codes of the schemes: the reasons for which each is used, the days within which ' +
      'it is submitted, and the evidence that helps.',
    method: 'GET',
    path: '/disputereasons',
    permission: 'read',
    summary: 'List the reason codes of disputes',
    answer: ReasonCodes,
    run: async () => ({ data: reasonCodes }),
  }),
]

type Verb = 'submit' | 'withdraw' | 'accept' | 'arbitrate'

const moving = (verb: Verb, step: Step, summary: string, description: string) =>
  route({
    id: `${verb}Dispute`,
    tag: 'Disputes',
    description: `${description} Sends DISPUTE_STATUS_CHANGE.`,
    method: 'POST',
    path: `/disputes/{id}:${verb}`,
    permission: 'write',
    summary,
    params: IdPath,
    body: MoveNote,
    bodyOptional: true,
    answer: Dispute,
    errors: [
      ...(['not_found', 'dispute_move_refused'] as const),
      ...(verb === 'submit' ? opening : []),
      ...(verb === 'arbitrate' ? (['dispute_exceeds_amount'] as const) : []),
    ],
    run: (ctx, { params, body: { note } }) =>
      moveDispute(ctx, params.id, { step, ...(note !== undefined && { note }) }),
  })

const moveRoutes = [
  moving(
    'submit',
    'SUBMIT',
    'Submit a dispute',
    'Submits a DRAFT: its chargeback leaves for the card network next.',
  ),
  moving(
    'withdraw',
    'WITHDRAW',
    'Withdraw a dispute',
    'Ends a dispute that is a DRAFT, SUBMITTED or CHARGED_BACK without a decision. A provisional ' +
      'credit is taken back.',
  ),
  moving(
    'accept',
    'ACCEPT',
    'Accept a representment',
    'Accepts that the merchant’s side presented the transaction again: the dispute is lost, ' +
      'and a provisional credit is taken back. What the account lacks of it becomes a charge.',
  ),
  moving(
    'arbitrate',
    'ARBITRATE',
    'Arbitrate a representment',
    'Contests a representment: the arbitration chargeback leaves for the card network next, and ' +
      'the scheme decides. 409 `dispute_exceeds_amount` after a refund that leaves too little.',
  ),
]

const operatorRoutes = [
  route({
    id: 'listOutgoingDisputes',
    tag: 'Operator',
    description:
      'Lists up to 1,000 disputes of a tenant with a message that has to leave for the card ' +
      'network, longest first.',
    method: 'GET',
    path: '/operator/disputes',
    permission: 'operator',
    summary: 'List disputes that have to leave',
    query: OutgoingQuery,
    answer: OutgoingDisputes,
    errors: ['not_found'],
    run: (ctx, { query }) => listOutgoing(ctx, query.tenant_id),
  }),
  route({
    id: 'recordDisputeStep',
    tag: 'Operator',
    description:
      'Records what the card network said about a dispute of any tenant, where no files bring ' +
      'it, and sends DISPUTE_STATUS_CHANGE. SENT about a transaction that was refunded ' +
      'meanwhile returns the dispute to DRAFT. `tenant_id` is required if two tenants use the id.',
    method: 'POST',
    path: '/operator/disputes/{id}:record',
    permission: 'operator',
    summary: 'Record a step of a dispute',
    params: IdPath,
    query: TenantQuery,
    body: NetworkMove,
    answer: Dispute,
    errors: ['not_found', 'tenant_ambiguous', 'dispute_move_refused'],
    object: objectOfAnyTenant('disputes', Dispute, findDispute),
    run: (ctx, { params, query, body }) =>
      transact(ctx, async (tx) => {
        const within = await withinTenantOf(tx, 'disputes', params.id, query.tenant_id)
        return recordNetworkMove(within, params.id, body)
      }),
  }),
]

export const disputeRoutes = [...objectRoutes, ...moveRoutes, ...operatorRoutes]
