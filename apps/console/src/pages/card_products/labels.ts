/** The fields of a product by their names, for the comparison with what another person has typed. */

import { useTranslation } from 'react-i18next'
import type { Labels } from '../../parts/edit/meanwhile.tsx'
import type { ProductValues } from './product_values.ts'

export function useLabels(): Labels<ProductValues> {
  const { t } = useTranslation()
  return {
    name: t('fields.name'),
    description: t('products.description'),
    currency: t('fields.currency'),
    bin: t('products.bin'),
    card_validity_months: t('products.validity'),
    num_of_cards_per_user: t('products.per_user'),
    clearing_tolerance_percent: t('products.tolerance'),
    identify_above: t('products.identify'),
    initial_status_of_virtual_card: t('products.initial_virtual'),
    initial_status_of_physical_card: t('products.initial_physical'),
    link_account_to_card: t('products.link_account'),
    partial_approval: t('products.partial'),
    otp_3ds: t('products.otp'),
    refuse_weak: t('products.weak'),
    pin_length: t('products.pin_length'),
    max_tries: t('products.pin_tries'),
    pin_verification: {
      label: t('products.pin_verification'),
      textOf: (value) => t(`products.pin_verification_names.${value}`),
    },
    service_code: t('products.service_code'),
    chip_profile: t('products.chip_profile'),
    carrier: t('products.carrier'),
    second_line: t('products.second_line'),
    pin_mailer: t('products.pin_mailer'),
    tracking: t('products.tracking'),
    responder: {
      label: t('products.responder'),
      textOf: (value) => t(`products.responder_names.${value}`),
    },
  }
}
