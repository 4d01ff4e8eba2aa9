import { route } from '#kit/http/route.ts'
import { FoundObjects, SearchQuery } from './schema.ts'
import { searchObjects } from './search.ts'

export const searchRoutes = [
  route({
    id: 'searchObjects',
    tag: 'Search',
    description:
      'Finds objects of the tenant of every kind: by their id; users by name, mobile or e-mail; ' +
      'cards by their last four digits; transactions by their retrieval reference; card ' +
      'products, limits and lists by a part of their name, among the newest 1,000 of ' +
      'each. At most 20.',
    method: 'GET',
    path: '/search',
    permission: 'read',
    summary: 'Search for objects',
    query: SearchQuery,
    answer: FoundObjects,
    run: (ctx, { query }) => searchObjects(ctx, query),
  }),
]
