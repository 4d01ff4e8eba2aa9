/** The events of one object (D-645), newest first, as the feed has them. */

import type { Context } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import { renderEvents } from '../render.ts'
import type { FeedEvent, ObjectEventsQuery } from '../schema.ts'
import { listObjectEventRows } from './feed_store.ts'

export async function listObjectEvents(ctx: Context, query: ObjectEventsQuery) {
  const page = await listPage('object_events', query, (range) =>
    listObjectEventRows(ctx, query.object_id, range),
  )
  const texts = await renderEvents(ctx, page.data)
  return { ...page, data: texts.map((text): FeedEvent => JSON.parse(text)) }
}
