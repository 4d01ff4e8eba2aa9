/** A class for each code of an error. */
import { ApiError } from '../core/errors.ts'

/** 409: The account is not active. */
export class AccountNotActiveError extends ApiError<'account_not_active'> {}

/** 409: The account does not fit the card: its user or its currency differs. */
export class AccountNotFittingError extends ApiError<'account_not_fitting'> {}

/** 409: The account cannot change from its present status to this one. */
export class AccountStatusMoveRefusedError extends ApiError<'account_status_move_refused'> {}

/** 409: The backtest has ended and cannot be cancelled. */
export class BacktestEndedError extends ApiError<'backtest_ended'> {}

/** 409: As many backtests of the tenant are running as may run at one time. */
export class BacktestsRunningError extends ApiError<'backtests_running'> {}

/** 409: The balance would exceed the largest amount that an account can hold. */
export class BalanceTooLargeError extends ApiError<'balance_too_large'> {}

/** 409: Another card product uses this BIN. */
export class BinTakenError extends ApiError<'bin_taken'> {}

/** 400: The body is not valid JSON in UTF-8. */
export class BodyInvalidError extends ApiError<'body_invalid'> {}

/** 409: The bulk issuance has been submitted and cannot change. */
export class BulkIssuanceMoveRefusedError extends ApiError<'bulk_issuance_move_refused'> {}

/** 409: The card is already linked. */
export class CardAlreadyLinkedError extends ApiError<'card_already_linked'> {}

/** 409: The card has already been replaced. */
export class CardAlreadyReplacedError extends ApiError<'card_already_replaced'> {}

/** 409: The card data does not match a card. */
export class CardDataMismatchError extends ApiError<'card_data_mismatch'> {}

/** 409: The virtual card is becoming a physical one; its settings cannot change until it has. */
export class CardMigratingError extends ApiError<'card_migrating'> {}

/** 409: Only an ACTIVE virtual card can become a physical one. */
export class CardMigrationRefusedError extends ApiError<'card_migration_refused'> {}

/** 409: The card is not active. */
export class CardNotActiveError extends ApiError<'card_not_active'> {}

/** 409: Only a terminated card can be replaced. */
export class CardNotTerminatedError extends ApiError<'card_not_terminated'> {}

/** 409: Cards exist for this card product, so this member cannot change. */
export class CardProductInUseError extends ApiError<'card_product_in_use'> {}

/** 409: The card cannot change from its present status to this one. */
export class CardStatusMoveRefusedError extends ApiError<'card_status_move_refused'> {}

/** 409: The card is terminated and cannot change. */
export class CardTerminatedError extends ApiError<'card_terminated'> {}

/** 409: The user has as many cards as the card product allows. */
export class CardsPerUserReachedError extends ApiError<'cards_per_user_reached'> {}

/** 409: The code is not the one that was sent. */
export class ChallengeCodeWrongError extends ApiError<'challenge_code_wrong'> {}

/** 409: The card takes no part in 3-D Secure: it is not ACTIVE, or its product not `otp_3ds`. */
export class ChallengeNotOfferedError extends ApiError<'challenge_not_offered'> {}

/** 409: The challenge is of another amount, currency or merchant than the payment. */
export class ChallengeOtherPaymentError extends ApiError<'challenge_other_payment'> {}

/** 409: The challenge has ended: it was answered before, or its five minutes are over. */
export class ChallengeOverError extends ApiError<'challenge_over'> {}

/** 409: The code cannot go out: the cardholder has no e-mail address, or no mails are sent here. */
export class ChallengeUnreachableError extends ApiError<'challenge_unreachable'> {}

/** 409: No code was made for the challenge: the cardholder approves or declines it. */
export class ChallengeWithoutCodeError extends ApiError<'challenge_without_code'> {}

/** 412: The object was changed since its version was read: read it again. Nothing was changed. */
export class ChangedMeanwhileError extends ApiError<'changed_meanwhile'> {}

/** 409: The amount is above what was captured and neither refunded nor charged back. */
export class ChargebackExceedsOrderError extends ApiError<'chargeback_exceeds_order'> {}

/** 409: The dispute cannot move from its present status by this step. */
export class ChargebackMoveRefusedError extends ApiError<'chargeback_move_refused'> {}

/** 409: A clearing file with this id (PDS 0105) and other bytes was accepted before. */
export class ClearingFileDiffersError extends ApiError<'clearing_file_differs'> {}

/** 409: The clock cannot be moved backwards. */
export class ClockBackwardsError extends ApiError<'clock_backwards'> {}

/** 400: The code is wrong, was used before, or has ended. */
export class CodeWrongError extends ApiError<'code_wrong'> {}

/** 415: The body must be application/json in UTF-8, not compressed. */
export class ContentTypeUnsupportedError extends ApiError<'content_type_unsupported'> {}

/** 401: The e-mail, the password, the code or the challenge is wrong. */
export class CredentialsWrongError extends ApiError<'credentials_wrong'> {}

/**
 * 400: The cursor `after` does not belong to this list, or what it names is no longer kept: list
 * again without it.
 */
export class CursorInvalidError extends ApiError<'cursor_invalid'> {}

/** 409: The amount is above what is settled and neither refunded nor disputed. */
export class DisputeExceedsAmountError extends ApiError<'dispute_exceeds_amount'> {}

/** 409: The dispute cannot move from its present status by this step. */
export class DisputeMoveRefusedError extends ApiError<'dispute_move_refused'> {}

/** 409: Only a dispute that is a DRAFT can change. */
export class DisputeNotDraftError extends ApiError<'dispute_not_draft'> {}

/** 409: The days within which the transaction can be disputed for this reason are over. */
export class DisputeTooLateError extends ApiError<'dispute_too_late'> {}

/** 409: Another member has this e-mail address. */
export class EmailTakenError extends ApiError<'email_taken'> {}

/** 409: This field cannot change after verification. */
export class FieldLockedError extends ApiError<'field_locked'> {}

/** 409: The file has not been scanned for viruses yet. */
export class FileHeldError extends ApiError<'file_held'> {}

/** 409: The virus scanner found malware in the file. */
export class FileInfectedError extends ApiError<'file_infected'> {}

/** 409: The identification has as many files as are allowed. */
export class FileLimitReachedError extends ApiError<'file_limit_reached'> {}

/** 409: The fulfillment cannot change from its present status to this one. */
export class FulfillmentMoveRefusedError extends ApiError<'fulfillment_move_refused'> {}

/** 409: Another object with this id already exists. */
export class IdTakenError extends ApiError<'id_taken'> {}

/** 409: The first request with this idempotency key is still running. */
export class IdempotencyKeyInUseError extends ApiError<'idempotency_key_in_use'> {}

/** 409: This idempotency key was used for another request. */
export class IdempotencyKeyReusedError extends ApiError<'idempotency_key_reused'> {}

/** 409: The type of an identification cannot change once it has files. */
export class IdentificationHasFilesError extends ApiError<'identification_has_files'> {}

/** 409: The user has as many identifications as are allowed. */
export class IdentificationLimitReachedError extends ApiError<'identification_limit_reached'> {}

/** 409: The user has no identity document yet. */
export class IdentityDocumentsMissingError extends ApiError<'identity_documents_missing'> {}

/** 409: The receiving account does not accept transfers. */
export class IncomingTransfersNotAllowedError extends ApiError<'incoming_transfers_not_allowed'> {}

/** 409: The account does not have enough available funds. */
export class InsufficientFundsError extends ApiError<'insufficient_funds'> {}

/** 500: The server failed; the request id names the case. */
export class InternalError extends ApiError<'internal'> {}

/** 409: The merchant may not use kept cards. */
export class KeptCardsOffError extends ApiError<'kept_cards_off'> {}

/** 409: The card product has no key block protection key. */
export class KeyBlockProtectionKeyMissingError extends ApiError<'key_block_protection_key_missing'> {}

/** 409: The keys of cards are in a security module: this program has none in the clear. */
export class KeyByModuleOnlyError extends ApiError<'key_by_module_only'> {}

/** 409: This KYC request has already been decided. */
export class KycDecidedError extends ApiError<'kyc_decided'> {}

/** 409: A KYC request of this user is already in progress. */
export class KycInProgressError extends ApiError<'kyc_in_progress'> {}

/** 409: The user is not waiting for a KYC request. */
export class KycNotAwaitedError extends ApiError<'kyc_not_awaited'> {}

/** 409: The last owner can neither be removed nor get another role. */
export class LastOwnerError extends ApiError<'last_owner'> {}

/** 409: The limit does not apply to this card. */
export class LimitNotLinkedError extends ApiError<'limit_not_linked'> {}

/** 409: The object has as many limits as it may have. */
export class LimitsReachedError extends ApiError<'limits_reached'> {}

/** 409: This match has already been judged. */
export class MatchDecidedError extends ApiError<'match_decided'> {}

/** 409: Matches of the user have not been judged. */
export class MatchesOpenError extends ApiError<'matches_open'> {}

/** 409: The account would have more than a balance limit permits. */
export class MaximumAccountBalanceLimitReachedError extends ApiError<'maximum_account_balance_limit_reached'> {}

/** 409: The accounts of the user would have more than a balance limit permits. */
export class MaximumUserBalanceLimitReachedError extends ApiError<'maximum_user_balance_limit_reached'> {}

/** 409: The account would have less available than a balance limit permits. */
export class MinimumAccountBalanceLimitReachedError extends ApiError<'minimum_account_balance_limit_reached'> {}

/** 409: The accounts of the user would have less available than a balance limit permits. */
export class MinimumUserBalanceLimitReachedError extends ApiError<'minimum_user_balance_limit_reached'> {}

/** 501: The service that this operation needs is not set up. */
export class NotConfiguredError extends ApiError<'not_configured'> {}

/** 404: The resource does not exist. */
export class NotFoundError extends ApiError<'not_found'> {}

/** 409: The operator resets the factors of a sole owner only: an owner of the team can do it. */
export class NotSoleOwnerError extends ApiError<'not_sole_owner'> {}

/** 409: Nothing of the transaction is settled and neither refunded nor disputed. */
export class NothingToDisputeError extends ApiError<'nothing_to_dispute'> {}

/** 409: No message of the tenant has to leave for the card network. */
export class NothingToExportError extends ApiError<'nothing_to_export'> {}

/** 406: The order is captured already. */
export class OrderAlreadyCapturedError extends ApiError<'order_already_captured'> {}

/** 406: The order is refunded already. */
export class OrderAlreadyRefundedError extends ApiError<'order_already_refunded'> {}

/** 406: The card network took the amount back for a dispute: it is not refunded as well. */
export class OrderChargedBackError extends ApiError<'order_charged_back'> {}

/** 409: Another operation of this order is under way. Wait for its outcome. */
export class OrderOperationInProgressError extends ApiError<'order_operation_in_progress'> {}

/** 406: The order is still open. */
export class OrderStillOpenError extends ApiError<'order_still_open'> {}

/** 403: A request with a session must come from the pages of this server, with JSON or no body. */
export class OriginRefusedError extends ApiError<'origin_refused'> {}

/** 503: The outcome is not known yet. */
export class OutcomeUnknownError extends ApiError<'outcome_unknown'> {}

/** 409: The sending account does not allow transfers. */
export class OutgoingTransfersNotAllowedError extends ApiError<'outgoing_transfers_not_allowed'> {}

/** 409: The card product has no free card numbers left. */
export class PanRangeExhaustedError extends ApiError<'pan_range_exhausted'> {}

/** 409: Another card product uses a part of this number range. */
export class PanRangeTakenError extends ApiError<'pan_range_taken'> {}

/** 409: A user cannot be its own ancestor. */
export class ParentCycleError extends ApiError<'parent_cycle'> {}

/** 409: The parent user has not passed KYC yet. */
export class ParentKycMissingError extends ApiError<'parent_kyc_missing'> {}

/** 409: This user cannot be the parent of another user. */
export class ParentNotEligibleError extends ApiError<'parent_not_eligible'> {}

/**
 * 400: The passkey cannot be registered: its response is not to an unused challenge of the last
 * five minutes, it exists already, or there are 20.
 */
export class PasskeyInvalidError extends ApiError<'passkey_invalid'> {}

/** 409: The payment has its outcome already. */
export class PaymentAlreadyEndedError extends ApiError<'payment_already_ended'> {}

/** 409: A payment of this reference is being checked. Try again when it is known. */
export class PaymentInProgressError extends ApiError<'payment_in_progress'> {}

/** 409: The payment comes to its outcome by itself: its messages are still sent. */
export class PaymentNotStuckError extends ApiError<'payment_not_stuck'> {}

/** 409: The issuer is this program, and its transactions say otherwise. */
export class PaymentOutcomeContradictedError extends ApiError<'payment_outcome_contradicted'> {}

/** 409: The payout has a status that does not lead to this one. */
export class PayoutStatusRefusedError extends ApiError<'payout_status_refused'> {}

/** 403: The tenant is not PCI compliant and may not read or send card data. */
export class PciComplianceRequiredError extends ApiError<'pci_compliance_required'> {}

/** 403: The API key lacks a permission for this operation. */
export class PermissionMissingError extends ApiError<'permission_missing'> {}

/** 400: The PIN block cannot be read. */
export class PinBlockRefusedError extends ApiError<'pin_block_refused'> {}

/** 409: A PIN reaches the security module as a PIN block only. */
export class PinByBlockOnlyError extends ApiError<'pin_by_block_only'> {}

/** 409: A PVV of the security module has four digits; pin.verification OFFSET takes longer PINs. */
export class PinLengthInModuleError extends ApiError<'pin_length_in_module'> {}

/** 400: The PIN does not fit the rules of the card product. */
export class PinRefusedError extends ApiError<'pin_refused'> {}

/** 429: The tenant has as many waiting requests as are allowed. */
export class PollsExceededError extends ApiError<'polls_exceeded'> {}

/** 409: Provisioning of this card is blocked after too many wrong attempts. */
export class ProvisioningBlockedError extends ApiError<'provisioning_blocked'> {}

/** 409: The question was answered before; the first answer is the one that is used. */
export class QuestionAnsweredError extends ApiError<'question_answered'> {}

/** 409: The time to answer the question is over; the default action was used. */
export class QuestionOverdueError extends ApiError<'question_overdue'> {}

/** 416: The range begins after the end of the file. */
export class RangeNotSatisfiableError extends ApiError<'range_not_satisfiable'> {}

/** 429: Too many requests; wait and try again. */
export class RateLimitedError extends ApiError<'rate_limited'> {}

/** 409: The tenant has the most receivers that it may have; delete one. */
export class ReceiverLimitReachedError extends ApiError<'receiver_limit_reached'> {}

/** 409: As many reconciliations are running as may run at one time; try again. */
export class ReconciliationsRunningError extends ApiError<'reconciliations_running'> {}

/**
 * 409: The record cannot be posted to this card. It stays in suspense; `status_code` is that of
 * the engine, if it was asked.
 */
export class RecordNotPostableError extends ApiError<'record_not_postable'> {}

/** 409: The record is not in suspense, or was resolved before. */
export class RecordNotSuspendedError extends ApiError<'record_not_suspended'> {}

/** 408: The request did not arrive in time. */
export class RequestTimeoutError extends ApiError<'request_timeout'> {}

/** 409: The reviewed data has changed since then. */
export class ReviewOutdatedError extends ApiError<'review_outdated'> {}

/** 403: Members are invited here; nobody signs up alone. */
export class SignUpClosedError extends ApiError<'sign_up_closed'> {}

/** 409: The card, or one that it replaces or is replaced by, has a stop order for the merchant. */
export class StopOrderExistsError extends ApiError<'stop_order_exists'> {}

/** 409: The card has as many stop orders as are allowed. */
export class StopOrdersReachedError extends ApiError<'stop_orders_reached'> {}

/** 409: The files of the tenant may not have so many bytes together. */
export class StorageFullError extends ApiError<'storage_full'> {}

/** 409: Two tenants use this id; name the tenant with `tenant_id`. */
export class TenantAmbiguousError extends ApiError<'tenant_ambiguous'> {}

/** 400: The link is not valid: it was used, has ended, or is not complete. */
export class TokenInvalidError extends ApiError<'token_invalid'> {}

/** 409: The wallet token cannot change from its present status to this one. */
export class TokenStatusMoveRefusedError extends ApiError<'token_status_move_refused'> {}

/** 409: The card has as many wallet tokens as are allowed. */
export class TokensPerCardReachedError extends ApiError<'tokens_per_card_reached'> {}

/** 413: The body is larger than this operation accepts. */
export class TooLargeError extends ApiError<'too_large'> {}

/** 409: There are 100 invitations that are open; delete some of them first. */
export class TooManyInvitationsError extends ApiError<'too_many_invitations'> {}

/** 409: The tenant has as many API keys as it may have. */
export class TooManyKeysError extends ApiError<'too_many_keys'> {}

/** 409: Codes by time are set up already; remove them first. */
export class TotpActiveError extends ApiError<'totp_active'> {}

/** 409: No codes by time are set up. */
export class TotpMissingError extends ApiError<'totp_missing'> {}

/** 401: The API key is missing or not valid. */
export class UnauthenticatedError extends ApiError<'unauthenticated'> {}

/** 503: The database is not available at the moment; try again. */
export class UnavailableError extends ApiError<'unavailable'> {}

/** 409: The user already has another parent. */
export class UserAlreadyLinkedError extends ApiError<'user_already_linked'> {}

/** 409: The user is not active. */
export class UserNotActiveError extends ApiError<'user_not_active'> {}

/** 409: The user cannot change from its present status to this one. */
export class UserStatusMoveRefusedError extends ApiError<'user_status_move_refused'> {}

/** 409: The user is terminated and cannot change. */
export class UserTerminatedError extends ApiError<'user_terminated'> {}

/** 400: The request does not fit its contract. */
export class ValidationFailedError extends ApiError<'validation_failed'> {}

/** 409: No identity check of this user is waiting for a report. */
export class VerificationNotAwaitedError extends ApiError<'verification_not_awaited'> {}

/** 409: The subscription is disabled. */
export class WebhookDisabledError extends ApiError<'webhook_disabled'> {}

/** 409: The tenant has as many subscriptions as are allowed. */
export class WebhookLimitReachedError extends ApiError<'webhook_limit_reached'> {}

/** The class of each code. */
export const errorClasses = {
  account_not_active: AccountNotActiveError,
  account_not_fitting: AccountNotFittingError,
  account_status_move_refused: AccountStatusMoveRefusedError,
  backtest_ended: BacktestEndedError,
  backtests_running: BacktestsRunningError,
  balance_too_large: BalanceTooLargeError,
  bin_taken: BinTakenError,
  body_invalid: BodyInvalidError,
  bulk_issuance_move_refused: BulkIssuanceMoveRefusedError,
  card_already_linked: CardAlreadyLinkedError,
  card_already_replaced: CardAlreadyReplacedError,
  card_data_mismatch: CardDataMismatchError,
  card_migrating: CardMigratingError,
  card_migration_refused: CardMigrationRefusedError,
  card_not_active: CardNotActiveError,
  card_not_terminated: CardNotTerminatedError,
  card_product_in_use: CardProductInUseError,
  card_status_move_refused: CardStatusMoveRefusedError,
  card_terminated: CardTerminatedError,
  cards_per_user_reached: CardsPerUserReachedError,
  challenge_code_wrong: ChallengeCodeWrongError,
  challenge_not_offered: ChallengeNotOfferedError,
  challenge_other_payment: ChallengeOtherPaymentError,
  challenge_over: ChallengeOverError,
  challenge_unreachable: ChallengeUnreachableError,
  challenge_without_code: ChallengeWithoutCodeError,
  changed_meanwhile: ChangedMeanwhileError,
  chargeback_exceeds_order: ChargebackExceedsOrderError,
  chargeback_move_refused: ChargebackMoveRefusedError,
  clearing_file_differs: ClearingFileDiffersError,
  clock_backwards: ClockBackwardsError,
  code_wrong: CodeWrongError,
  content_type_unsupported: ContentTypeUnsupportedError,
  credentials_wrong: CredentialsWrongError,
  cursor_invalid: CursorInvalidError,
  dispute_exceeds_amount: DisputeExceedsAmountError,
  dispute_move_refused: DisputeMoveRefusedError,
  dispute_not_draft: DisputeNotDraftError,
  dispute_too_late: DisputeTooLateError,
  email_taken: EmailTakenError,
  field_locked: FieldLockedError,
  file_held: FileHeldError,
  file_infected: FileInfectedError,
  file_limit_reached: FileLimitReachedError,
  fulfillment_move_refused: FulfillmentMoveRefusedError,
  id_taken: IdTakenError,
  idempotency_key_in_use: IdempotencyKeyInUseError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  identification_has_files: IdentificationHasFilesError,
  identification_limit_reached: IdentificationLimitReachedError,
  identity_documents_missing: IdentityDocumentsMissingError,
  incoming_transfers_not_allowed: IncomingTransfersNotAllowedError,
  insufficient_funds: InsufficientFundsError,
  internal: InternalError,
  kept_cards_off: KeptCardsOffError,
  key_block_protection_key_missing: KeyBlockProtectionKeyMissingError,
  key_by_module_only: KeyByModuleOnlyError,
  kyc_decided: KycDecidedError,
  kyc_in_progress: KycInProgressError,
  kyc_not_awaited: KycNotAwaitedError,
  last_owner: LastOwnerError,
  limit_not_linked: LimitNotLinkedError,
  limits_reached: LimitsReachedError,
  match_decided: MatchDecidedError,
  matches_open: MatchesOpenError,
  maximum_account_balance_limit_reached: MaximumAccountBalanceLimitReachedError,
  maximum_user_balance_limit_reached: MaximumUserBalanceLimitReachedError,
  minimum_account_balance_limit_reached: MinimumAccountBalanceLimitReachedError,
  minimum_user_balance_limit_reached: MinimumUserBalanceLimitReachedError,
  not_configured: NotConfiguredError,
  not_found: NotFoundError,
  not_sole_owner: NotSoleOwnerError,
  nothing_to_dispute: NothingToDisputeError,
  nothing_to_export: NothingToExportError,
  order_already_captured: OrderAlreadyCapturedError,
  order_already_refunded: OrderAlreadyRefundedError,
  order_charged_back: OrderChargedBackError,
  order_operation_in_progress: OrderOperationInProgressError,
  order_still_open: OrderStillOpenError,
  origin_refused: OriginRefusedError,
  outcome_unknown: OutcomeUnknownError,
  outgoing_transfers_not_allowed: OutgoingTransfersNotAllowedError,
  pan_range_exhausted: PanRangeExhaustedError,
  pan_range_taken: PanRangeTakenError,
  parent_cycle: ParentCycleError,
  parent_kyc_missing: ParentKycMissingError,
  parent_not_eligible: ParentNotEligibleError,
  passkey_invalid: PasskeyInvalidError,
  payment_already_ended: PaymentAlreadyEndedError,
  payment_in_progress: PaymentInProgressError,
  payment_not_stuck: PaymentNotStuckError,
  payment_outcome_contradicted: PaymentOutcomeContradictedError,
  payout_status_refused: PayoutStatusRefusedError,
  pci_compliance_required: PciComplianceRequiredError,
  permission_missing: PermissionMissingError,
  pin_block_refused: PinBlockRefusedError,
  pin_by_block_only: PinByBlockOnlyError,
  pin_length_in_module: PinLengthInModuleError,
  pin_refused: PinRefusedError,
  polls_exceeded: PollsExceededError,
  provisioning_blocked: ProvisioningBlockedError,
  question_answered: QuestionAnsweredError,
  question_overdue: QuestionOverdueError,
  range_not_satisfiable: RangeNotSatisfiableError,
  rate_limited: RateLimitedError,
  receiver_limit_reached: ReceiverLimitReachedError,
  reconciliations_running: ReconciliationsRunningError,
  record_not_postable: RecordNotPostableError,
  record_not_suspended: RecordNotSuspendedError,
  request_timeout: RequestTimeoutError,
  review_outdated: ReviewOutdatedError,
  sign_up_closed: SignUpClosedError,
  stop_order_exists: StopOrderExistsError,
  stop_orders_reached: StopOrdersReachedError,
  storage_full: StorageFullError,
  tenant_ambiguous: TenantAmbiguousError,
  token_invalid: TokenInvalidError,
  token_status_move_refused: TokenStatusMoveRefusedError,
  tokens_per_card_reached: TokensPerCardReachedError,
  too_large: TooLargeError,
  too_many_invitations: TooManyInvitationsError,
  too_many_keys: TooManyKeysError,
  totp_active: TotpActiveError,
  totp_missing: TotpMissingError,
  unauthenticated: UnauthenticatedError,
  unavailable: UnavailableError,
  user_already_linked: UserAlreadyLinkedError,
  user_not_active: UserNotActiveError,
  user_status_move_refused: UserStatusMoveRefusedError,
  user_terminated: UserTerminatedError,
  validation_failed: ValidationFailedError,
  verification_not_awaited: VerificationNotAwaitedError,
  webhook_disabled: WebhookDisabledError,
  webhook_limit_reached: WebhookLimitReachedError,
} as const

/** Every code that an API answers. */
export type ErrorCode = keyof typeof errorClasses
