/** docs/doctor.md: the checks of `bezant doctor`, from the audits themselves. */

import { type AuditName, audits, NODES, SIDES } from '#src/audit/audits.ts'
import { invariants } from '#src/audit/invariants.ts'
import type { Invariants } from '#src/audit/invariants_of_shops.ts'
import { page } from './markdown.ts'

const INTRO = [
  '`bezant doctor` checks a database for invariants that do not hold. It only reads, may run ' +
    'while the program runs, and uses DATABASE_URL, or the embedded database of DATA_DIR. It ' +
    'ends with 1 where it finds anything, with a line of each finding: the invariant, the ' +
    'tenant, the object and what differs. At most 100 findings of one kind are printed. ' +
    '`--json` prints [one document](cli.md#the-programs-as-json), with what to do about each check.',
  '- I1: money is neither made nor lost.\n' +
    '- I2: accounts agree with their entries and holds, and stay above their floors.\n' +
    '- I4: what is stored in two places agrees.\n' +
    '- I6: what happened was reported once, in order.\n' +
    '- I7: the audit log is whole.',
  'Each statement reads one snapshot, so that a change that commits meanwhile is no finding. ' +
    'What was dropped at the end of its retention is not claimed (D-407), nor are sums whose ' +
    'counting may have begun anew (D-560). Keep the output before anything is corrected: it ' +
    'shows what the state was.',
  'Statements of a remedy are run by the user of DATABASE_URL, who owns the tables, in a ' +
    'transaction of the tenant that the finding names. Without its setting row security shows no ' +
    'row, and `UPDATE 0` has changed nothing:',
  '    begin;\n' +
    "    set local bezant.tenant = '01a21bcd-8f30-72ea-80c5-0a41abf357cc';\n" +
    '    update accounts set held = held - 5, version = version + 1 where id = …;\n' +
    '    commit;',
]

export function doctorPage(): string {
  const names: readonly AuditName[] = [...audits.map(({ name }) => name), SIDES, NODES]
  const sections = names.map((name) => {
    const { holds, remedy }: Invariants = invariants[name]
    const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    return [`## ${title}`, holds.map((one) => `- ${one}`).join('\n'), remedy].join('\n\n')
  })
  return page('Doctor', [...INTRO, ...sections])
}
