/** Waits for all of them, also where one fails; then throws the first failure. */
export async function allOf<Result>(promises: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
