/** The rules of products that other rules use. Pure. */

export { chargedOn, chargeOf } from './rules/charges.ts'
export { type Switch, type SwitchMessage, switchTable } from './rules/switches.ts'
