/** The rules of products that other rules use. Pure. */

export { chargedOn, chargeOf } from './rules/charges.ts'
