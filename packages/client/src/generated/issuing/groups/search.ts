/** Objects of every kind by a known text of theirs. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type { SearchObjectsAnswer, SearchObjectsQuery } from '../types.ts'

/** Objects of every kind by a known text of theirs. */
export class SearchGroup extends Group {
  /**
   * Search for objects.
   *
   * Finds objects of the tenant of every kind: by their id; users by name, mobile or e-mail; cards
   * by their last four digits; transactions by their retrieval reference; card products, limits and
   * lists by a part of their name, among the newest 1,000 of each. At most 20.
   *
   * `GET /search`
   */
  objects(query: SearchObjectsQuery, options?: RequestOptions): Promise<SearchObjectsAnswer> {
    return this.transport.send('GET', '/search', { query }, options)
  }
}
