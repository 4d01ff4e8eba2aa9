import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Account } from '../../api/types.ts'
import { LinkedLimits } from '../../parts/issuing/linked_limits.tsx'

/** Limits of the account's balance, and of spending from it. */
export function AccountLimits({ account: { id } }: { account: Account }) {
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
        read={(after) => answered(issuing.GET('/accounts/{id}/balancelimits', page(after)))}
        link={
          may('linkAccountBalanceLimits')
            ? (ids, key) =>
                answered(issuing.POST('/accounts/{id}/balancelimits:link', body(ids, key)))
            : undefined
        }
        unlink={
          may('unlinkAccountBalanceLimits')
            ? (ids, key) =>
                answered(issuing.POST('/accounts/{id}/balancelimits:unlink', body(ids, key)))
            : undefined
        }
      />
      <LinkedLimits
        kind="velocity"
        id={id}
        read={(after) => answered(issuing.GET('/accounts/{id}/velocitylimits', page(after)))}
        link={
          may('linkAccountVelocityLimits')
            ? (ids, key) =>
                answered(issuing.POST('/accounts/{id}/velocitylimits:link', body(ids, key)))
            : undefined
        }
        unlink={
          may('unlinkAccountVelocityLimits')
            ? (ids, key) =>
                answered(issuing.POST('/accounts/{id}/velocitylimits:unlink', body(ids, key)))
            : undefined
        }
      />
    </>
  )
}
