/** Waits for all of them, also if one fails; then throws the first failure. */
export async function allOf<const Values extends readonly unknown[]>(
  promises: Values,
): Promise<{ -readonly [At in keyof Values]: Awaited<Values[At]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** Resolves when all that is already settled has been reacted to. */
export const microtasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
