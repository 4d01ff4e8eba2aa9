import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { CardProduct } from '../../api/types.ts'
import { LinkedLimits } from '../../parts/issuing/linked_limits.tsx'

/** Limits that every card of the product, and every account of one, begins with. */
export function ProductLimits({ product: { id } }: { product: CardProduct }) {
  const may = useMay()
  const path = { id }
  const body = (ids: string[], key: string) => ({
    body: { ids },
    params: { path, header: once(key) },
  })
  const page = (after: string | undefined) => ({
    params: { path, query: after === undefined ? {} : { after } },
  })
  return (
    <>
      <LinkedLimits
        kind="balance"
        id={id}
        read={(after) => answered(issuing.GET('/cardproducts/{id}/balancelimits', page(after)))}
        link={
          may('linkCardProductBalanceLimits')
            ? (ids, key) =>
                answered(issuing.POST('/cardproducts/{id}/balancelimits:link', body(ids, key)))
            : undefined
        }
        unlink={
          may('unlinkCardProductBalanceLimits')
            ? (ids, key) =>
                answered(issuing.POST('/cardproducts/{id}/balancelimits:unlink', body(ids, key)))
            : undefined
        }
      />
      <LinkedLimits
        kind="velocity"
        id={id}
        read={(after) => answered(issuing.GET('/cardproducts/{id}/velocitylimits', page(after)))}
        link={
          may('linkCardProductVelocityLimits')
            ? (ids, key) =>
                answered(issuing.POST('/cardproducts/{id}/velocitylimits:link', body(ids, key)))
            : undefined
        }
        unlink={
          may('unlinkCardProductVelocityLimits')
            ? (ids, key) =>
                answered(issuing.POST('/cardproducts/{id}/velocitylimits:unlink', body(ids, key)))
            : undefined
        }
      />
    </>
  )
}
