import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { CardProduct } from '../../api/types.ts'
import { LinkedLimits } from '../../parts/issuing/linked_limits.tsx'

/** Limits that every card of the product, and every account of one, begins with. */
export function ProductLimits({ product: { id } }: { product: CardProduct }) {
  const may = useMay()
  const { limits } = issuing
  const page = (after: string | undefined) => (after === undefined ? {} : { after })
  const keyed = (key: string) => ({ idempotencyKey: key })
  return (
    <>
      <LinkedLimits
        kind="balance"
        id={id}
        read={(after) => answered(limits.listCardProductBalanceLimits(id, page(after)))}
        link={
          may('linkCardProductBalanceLimits')
            ? (ids, key) => answered(limits.linkCardProductBalanceLimits(id, { ids }, keyed(key)))
            : undefined
        }
        unlink={
          may('unlinkCardProductBalanceLimits')
            ? (ids, key) => answered(limits.unlinkCardProductBalanceLimits(id, { ids }, keyed(key)))
            : undefined
        }
      />
      <LinkedLimits
        kind="velocity"
        id={id}
        read={(after) => answered(limits.listCardProductVelocityLimits(id, page(after)))}
        link={
          may('linkCardProductVelocityLimits')
            ? (ids, key) => answered(limits.linkCardProductVelocityLimits(id, { ids }, keyed(key)))
            : undefined
        }
        unlink={
          may('unlinkCardProductVelocityLimits')
            ? (ids, key) =>
                answered(limits.unlinkCardProductVelocityLimits(id, { ids }, keyed(key)))
            : undefined
        }
      />
    </>
  )
}
