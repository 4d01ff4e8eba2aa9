/** Reads server-sent events (the format of the HTML standard) from the parts of a body. */

export type StreamedEvent = { id: string; event: string; data: string }

/** A line without an end past this is no event stream. */
const BUFFER_MAX = 64 * 1024 * 1024

/** Yields every event, and undefined for lines that only show that the stream is alive. */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamedEvent | undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of body) {
    rest += decoder.decode(part, { stream: true })
    if (rest.length > BUFFER_MAX) throw new Error('an event has no end')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield eventOf(block)
  }
}

function eventOf(block: string): StreamedEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data }
}
