import { lazy, Suspense, useState } from 'react'
import type { Role } from '../api/types.ts'
import { AccountButton } from './account_button.tsx'

export type AccountMenuProps = { email: string; role: Role }

const load = async () => ({ default: (await import('./account_items.tsx')).AccountItems })

/** Loaded when it is first opened: no page needs it before. */
const Items = lazy(load)

/** The member who has signed in, how the console looks, and the end of the session. */
export function AccountMenu(props: AccountMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <AccountButton
      email={props.email}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Items {...props} />
    </Suspense>
  )
}
