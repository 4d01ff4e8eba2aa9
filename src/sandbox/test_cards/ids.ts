/** Ids of the rows of test cards: known beforehand, so that a tenant has them once. */

export const idOf = (number: number) => `00000000-0000-7000-8000-0000000000c${number}`
export const PRODUCT = idOf(0)
/** Its issuer asks for a one-time code (D-740). */
export const ASKING_PRODUCT = idOf(6)
export const TEST_PRODUCTS: readonly string[] = [PRODUCT, ASKING_PRODUCT]
