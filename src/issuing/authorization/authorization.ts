/** Public functions of the authorization slice: the engine, and the network port. */

export { type Authorizer, Engine } from './engine/engine.ts'
export { AccountBusy, EngineOverloaded, OutcomeUnknown } from './engine/errors.ts'
export { type PresentCard, presentCards } from './engine/gathering/present_cards.ts'
export type { Follow, Followed, Submission } from './engine/pending.ts'
export { preview } from './engine/preview.ts'
export { unansweredDue } from './engine/store/unanswered.ts'
export { decideWithin } from './engine/within.ts'
export { toAnswer } from './message/answer.ts'
export { createNetworkPort, type NetworkPort } from './port/port.ts'
export { createTenantFinder } from './port/tenant_finder.ts'
export { type Listener, Responder } from './responder/responder.ts'
