/** Lists that the API answers in pages. */

/** One page, as the API answers it. */
export type Page<Item> = {
  data: Item[]
  /** The cursor of the next page. */
  after?: string
  has_more: boolean
}

/**
 * A list: `await` gives its first page, `for await` every object of every page. Nothing is asked
 * before either is used. Pages are asked for one by one, as they are reached. `Extras` are the
 * members that a page of this list has beside those of every page.
 */
export class List<Item, Extras = unknown>
  implements AsyncIterable<Item>, PromiseLike<Page<Item> & Extras>
{
  readonly #pageAfter: (after: string | undefined) => Promise<Page<Item> & Extras>
  #first: Promise<Page<Item> & Extras> | undefined

  constructor(pageAfter: (after: string | undefined) => Promise<Page<Item> & Extras>) {
    this.#pageAfter = pageAfter
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
  then<Done = Page<Item> & Extras, Failed = never>(
    onDone?: ((page: Page<Item> & Extras) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#first ??= this.#pageAfter(undefined)
    return this.#first.then(onDone, onFailed)
  }

  /** The pages, from the first on. */
  async *pages(): AsyncGenerator<Page<Item> & Extras, void, undefined> {
    for (let after: string | undefined; ; ) {
      const page = await this.#pageAfter(after)
      yield page
      // Without a cursor the first page would be asked for again.
      if (!page.has_more || page.after === undefined || page.after === after) return
      after = page.after
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  /** The objects of all pages; at most `limit`. */
  async all({ limit }: { limit: number }): Promise<Item[]> {
    const items: Item[] = []
    if (limit < 1) return items
    for await (const item of this) {
      items.push(item)
      // The limit is checked before the next page is asked for.
      if (items.length >= limit) break
    }
    return items
  }
}
