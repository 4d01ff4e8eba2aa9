import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Account } from '../../api/types.ts'
import { LinkedLimits } from '../../parts/issuing/linked_limits.tsx'

/** Limits of the account's balance, and of spending from it. */
export function AccountLimits({ account: { id } }: { account: Account }) {
  const may = useMay()
  const { limits } = issuing
  const page = (after: string | undefined) => (after === undefined ? {} : { after })
  const keyed = (key: string) => ({ idempotencyKey: key })
  return (
    <>
      <LinkedLimits
        kind="balance"
        id={id}
        read={(after) => answered(limits.listAccountBalanceLimits(id, page(after)))}
        link={
          may('linkAccountBalanceLimits')
            ? (ids, key) => answered(limits.linkAccountBalanceLimits(id, { ids }, keyed(key)))
            : undefined
        }
        unlink={
          may('unlinkAccountBalanceLimits')
            ? (ids, key) => answered(limits.unlinkAccountBalanceLimits(id, { ids }, keyed(key)))
            : undefined
        }
      />
      <LinkedLimits
        kind="velocity"
        id={id}
        read={(after) => answered(limits.listAccountVelocityLimits(id, page(after)))}
        link={
          may('linkAccountVelocityLimits')
            ? (ids, key) => answered(limits.linkAccountVelocityLimits(id, { ids }, keyed(key)))
            : undefined
        }
        unlink={
          may('unlinkAccountVelocityLimits')
            ? (ids, key) => answered(limits.unlinkAccountVelocityLimits(id, { ids }, keyed(key)))
            : undefined
        }
      />
    </>
  )
}
