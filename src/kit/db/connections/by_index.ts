/** Settings of connections whose statements go by index only. */

/**
 * Without sorts too: a statement that asks for one row by a key orders by that key, so that no
 * other index can serve it. Memoize keeps what it has found for a key, and each key is asked for
 * once. A plan with a way that is off seems costly enough to be compiled (JIT).
 * On a cluster plans are not generic (cluster.ts).
 */
export const BY_INDEX = [
  'seqscan',
  'bitmapscan',
  'mergejoin',
  'hashjoin',
  'material',
  'memoize',
  'sort',
]
  .map((way) => `enable_${way}=off`)
  .concat('plan_cache_mode=force_generic_plan', 'random_page_cost=1.1', 'jit=off')
  .map((setting) => `-c ${setting}`)
  .join(' ')
