/** Waits for all of them, also where one fails; then throws the first failure. */
export async function allOf<const Values extends readonly unknown[]>(
  promises: Values,
): Promise<{ -readonly [At in keyof Values]: Awaited<Values[At]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
