import { transact } from '#kit/context.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import type { ResponderListener } from './listener.ts'
import { AnsweredRequest, QuestionQuery, ResponderAnswer, ResponderRequests } from './schema.ts'

export const responderRoutes = (listener: ResponderListener) => [
  route({
    id: 'listResponderRequests',
    tag: 'Simulation',
    description:
      'Lists the questions to the responder of the tenant that wait for an answer, where the ' +
      'setting `responder.listener` is true. Without one the call waits up to `wait` seconds ' +
      'for the first. At most 100 calls of a tenant wait at one time in one process; a further ' +
      'one answers polls_exceeded. Exists in sandbox only.',
    method: 'GET',
    path: '/simulate/responderrequests',
    permission: 'read',
    summary: 'List questions to the responder',
    sandbox: true,
    query: QuestionQuery,
    answer: ResponderRequests,
    errors: ['polls_exceeded'],
    waits: true,
    run: (ctx, { query }) => listener.read(ctx, query),
  }),
  route({
    id: 'answerResponderRequest',
    tag: 'Simulation',
    description:
      'Answers a question to the responder as an endpoint would: approves it, whole or up to ' +
      '`amount`, or declines it. The first answer is used. A second one fails with ' +
      '`question_answered`, one after the deadline with `question_overdue`. Exists in sandbox ' +
      'only.',
    method: 'POST',
    path: '/simulate/responderrequests/{id}:answer',
    permission: 'write',
    summary: 'Answer a question to the responder',
    sandbox: true,
    params: IdPath,
    body: ResponderAnswer,
    answer: AnsweredRequest,
    errors: ['question_answered', 'question_overdue'],
    async run(ctx, { params, body }) {
      await transact(ctx, (tx) => listener.answer(tx, params.id, body))
      return { id: params.id, ...body }
    },
  }),
]
