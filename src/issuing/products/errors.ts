/** The error codes of this slice and their HTTP statuses. */
export const productErrors = {
  id_taken: 409,
  bin_taken: 409,
  pan_range_taken: 409,
  card_product_in_use: 409,
} as const
