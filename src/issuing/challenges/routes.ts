import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import {
  answerChallenge,
  createChallenge,
  decideChallenge,
  findChallenge,
  listChallenges,
} from './challenges.ts'
import type { Messenger } from './provider.ts'
import {
  Challenge,
  ChallengeAnswer,
  ChallengeList,
  ChallengeQuery,
  NewChallenge,
} from './schema.ts'

export const challengeRoutes = (messenger: Messenger): Route[] => [
  route({
    id: 'createChallenge',
    tag: 'Challenges',
    description:
      'Asks the cardholder to confirm a payment within five minutes: by a code of six digits, ' +
      'which goes out by the `challenge_messenger` of the tenant, or in the client’s app. Sends ' +
      'CHALLENGE_CREATED. The card’s product has `otp_3ds`.',
    method: 'POST',
    path: '/challenges',
    permission: 'write',
    summary: 'Create a challenge',
    body: NewChallenge,
    answer: Challenge,
    errors: ['id_taken', 'challenge_not_offered', 'challenge_unreachable'],
    run: (ctx, { body }) => createChallenge(ctx, messenger, body),
  }),
  route({
    id: 'listChallenges',
    tag: 'Challenges',
    description: 'Lists challenges, newest first.',
    method: 'GET',
    path: '/challenges',
    permission: 'read',
    summary: 'List challenges',
    query: ChallengeQuery,
    answer: ChallengeList,
    run: (ctx, { query }) => listChallenges(ctx, query),
  }),
  route({
    id: 'getChallenge',
    tag: 'Challenges',
    description: 'Returns a challenge as it is now.',
    method: 'GET',
    path: '/challenges/{id}',
    permission: 'read',
    summary: 'Get a challenge',
    params: IdPath,
    answer: Challenge,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'challenges', params.id),
    run: (ctx, { params }) => findChallenge(ctx, params.id),
  }),
  route({
    id: 'answerChallenge',
    tag: 'Challenges',
    description:
      'Takes the code that the cardholder typed. The right one passes the challenge, once; the ' +
      'third wrong one ends it as FAILED. The payment that is to be made may be sent along: ' +
      'another one than the cardholder was shown is refused, and is no try.',
    method: 'POST',
    path: '/challenges/{id}:answer',
    permission: 'write',
    summary: 'Answer a challenge',
    params: IdPath,
    body: ChallengeAnswer,
    answer: Challenge,
    answersSecret: true,
    errors: [
      ...(['not_found', 'challenge_code_wrong', 'challenge_over'] as const),
      ...(['challenge_other_payment', 'challenge_without_code'] as const),
    ],
    run: (ctx, { params, body }) => answerChallenge(ctx, params.id, body),
  }),
  deciding(
    'approve',
    'PASSED',
    'Approve a challenge',
    'Passes a challenge: the cardholder has approved the payment in the client’s app, which has ' +
      'made sure who it is.',
  ),
  deciding(
    'decline',
    'DECLINED',
    'Decline a challenge',
    'Ends a challenge: the cardholder does not want the payment.',
  ),
]

const deciding = (
  verb: 'approve' | 'decline',
  status: 'PASSED' | 'DECLINED',
  summary: string,
  description: string,
): Route =>
  route({
    id: `${verb}Challenge`,
    tag: 'Challenges',
    description,
    method: 'POST',
    path: `/challenges/{id}:${verb}`,
    permission: 'write',
    summary,
    params: IdPath,
    answer: Challenge,
    answersSecret: true,
    errors: ['not_found', 'challenge_over'],
    run: (ctx, { params }) => decideChallenge(ctx, params.id, status),
  })
