/** The query builders over one connection, kept as long as it is: a loan only begins and ends. */

import { ALL_TENANTS, type TenantsSeen } from '../security/tenants_seen.ts'
import { AllTenantsConnection, Connection, LineConnection, TenantConnection } from './connection.ts'
import type { Lease } from './pool.ts'
import type { Outcome } from './statement_group.ts'

export type Loan<Db> = {
  db: Db
  begin: (lease: Lease, seen: TenantsSeen) => void
  /** Sends what was started; undefined if that is nothing. */
  send: () => Promise<Outcome> | undefined
  /** Fails if a statement was started and not handed to the server. */
  assertWhole: () => void
  /** Statements that are not sent yet are never sent; statements that are started later fail. */
  end: () => void
}

export type Bound<Db> = { transaction: Loan<Db>; session: Loan<Db>; line: Loan<Db> }

/** Makes a query builder; `everyone` is the same over all tenants. */
type Over<Db> = (connection: Connection, everyone?: Db) => Db

/** Binds a connection within a transaction that has stated its tenant. */
export function bindTransaction<Db>(over: Over<Db>): Loan<Db> {
  const [connection, wide] = [new Connection(), new AllTenantsConnection()]
  return loanOf(over(connection, over(wide)), [connection, wide], (seen) => {
    wide.see(seen)
  })
}

/** Binds a connection for transactions of one group each, without one over all tenants. */
export function bindLine<Db>(over: Over<Db>): Loan<Db> {
  const connection = new LineConnection()
  return loanOf(over(connection), [connection], (seen) => {
    connection.see(seen)
  })
}

/** Binds a connection for reads outside a transaction. */
export function bindSession<Db>(over: Over<Db>): Loan<Db> {
  const [connection, wide] = [new TenantConnection(), new TenantConnection()]
  wide.see(ALL_TENANTS)
  return loanOf(over(connection, over(wide)), [connection, wide], (seen) => {
    connection.see(seen)
  })
}

const loanOf = <Db>(
  db: Db,
  connections: readonly Connection[],
  state: (seen: TenantsSeen) => void,
): Loan<Db> => ({
  db,
  begin(lease, seen) {
    state(seen)
    for (const one of connections) one.begin(lease)
  },
  assertWhole() {
    for (const one of connections) one.assertWhole()
  },
  send: () => connections.map((one) => one.send()).find((outcome) => outcome !== undefined),
  end() {
    for (const one of connections) one.end()
  },
})
