/**
 * Routes of a test's own behind the real edge: keys, rates, idempotency and problems of the kit.
 */

import { sql } from 'kysely'
import { Type } from 'typebox'
import { emit } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import { type AppOptions, createApp } from '#kit/http/app.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath, ListQuery, Strict, Uuid } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import { ApiError, CommittedError, type ErrorCode } from '#lib/result.ts'
import { issuingModule } from '#src/program/apis/issuing.ts'
import { madeUpEvent } from './events.ts'
import { requester, type World } from './world.ts'

export type Edge = {
  request: World['request']
  /** The effects so far: each is one event with that text. */
  effects: (text: string) => Promise<number>
  /** Called within every effect; a test may hold it open or let it fail. */
  during: { effect: () => Promise<void> }
  app: ReturnType<typeof createApp>
  close: () => Promise<void>
}

const Note = Strict({
  text: Type.String({ minLength: 1, maxLength: 100 }),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  refuse: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 5 }), { maxItems: 3 })),
})
const Answer = Type.Object({ id: Uuid, text: Type.String(), count: Type.Optional(Type.Integer()) })

/**
 * `settings` of the world apply; the routes are POST /notes, /other, /notes/{id}:doIt, GET /notes.
 */
export async function openEdge(world: World, options: AppOptions = {}): Promise<Edge> {
  const during = { effect: async () => {} }
  const write = (ctx: Context, body: { text: string; count?: number; refuse?: string }) =>
    transact(ctx, async (tx) => {
      const id = newId()
      await emit(tx, madeUpEvent('PIN_CHANGE', id, { text: body.text }))
      await during.effect()
      // Codes of these routes only, and one that no catalogue has.
      const code = body.refuse as ErrorCode | undefined
      if (code !== undefined) {
        throw body.refuse === 'note_counted' ? new CommittedError(code) : new ApiError(code)
      }
      return { id, text: body.text, ...(body.count !== undefined && { count: body.count }) }
    })
  const post = (path: string): Route =>
    route({
      method: 'POST',
      path,
      permission: 'write',
      id: 'writeNote',
      tag: 'Notes',
      description: 'Writes a note.',
      summary: 'Write a note',
      body: Note,
      answer: Answer,
      run: (ctx, { body }) => write(ctx, body),
    })
  const routes = [
    post('/notes'),
    post('/other'),
    route({
      method: 'PUT',
      path: '/notes/{id}:doIt',
      permission: 'write',
      id: 'doIt',
      tag: 'Notes',
      description: 'Does it.',
      summary: 'Do it',
      params: IdPath,
      answer: Answer,
      run: async (_ctx, { params }) => ({ id: params.id, text: 'done' }),
    }),
    route({
      method: 'GET',
      path: '/notes',
      permission: 'read',
      id: 'listNotes',
      tag: 'Notes',
      description: 'Lists notes.',
      summary: 'List notes',
      query: ListQuery({ text: Type.Optional(Type.String()) }),
      answer: Type.Object({ limit: Type.Optional(Type.Integer()) }),
      run: async (_ctx, { query }) => ({ limit: query.limit ?? null }),
    }),
  ]
  const slice = {
    name: 'notes',
    routes,
    errors: {
      note_refused: { status: 409, detail: 'The note is refused.' },
      note_counted: { status: 409, detail: 'The note is counted.' },
      note_absent: { status: 404, detail: 'The note does not exist.' },
    },
  }
  const api = issuingModule([slice], world.services, world.clock, () => world.config)
  const app = createApp([api], world.log, options)
  await app.ready()
  return {
    request: requester(app, world.tenant.api_key),
    during,
    app,
    close: () => app.close(),
    async effects(text) {
      const rows = await world.db
        .selectFrom('events')
        .select('id')
        .where(sql<string>`payload ->> 'text'`, '=', text)
        .execute()
      return rows.length
    },
  }
}
