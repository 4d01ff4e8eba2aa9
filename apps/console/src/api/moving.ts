/** The changes that are under way: their page is not left before the answer. */

let hold: () => () => void = () => () => undefined

/** `block` keeps the reader on the page until what it answers is called. */
export function holdPageBy(block: () => () => void): void {
  hold = block
}

export async function whileMoving<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const release = hold()
  try {
    return await asked
  } finally {
    release()
  }
}
