/** The keys of a card product that a key block brings in. */

export const KEY_NAMES = ['cvk', 'pvk', 'imk_ac', 'imk_smi', 'imk_smc', 'zpk', 'zpk_aes'] as const
export type KeyName = (typeof KEY_NAMES)[number]

export const isKeyName = (name: string): name is KeyName => KEY_NAMES.some((one) => one === name)

/** A product of a tenant, as paths name it. */
export type OfProduct = { id: string; card_product_id: string }
