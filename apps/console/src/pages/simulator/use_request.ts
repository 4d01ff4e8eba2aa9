import { type UseFormReturnType, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type FaultName, faultNames, faultOf, type Typed } from './typed.ts'

export type RequestFields = UseFormReturnType<Typed>

/** The fields of a request; each is checked where it was typed. */
export function useRequest(first: Typed): RequestFields {
  const { t } = useTranslation()
  const rule = (name: FaultName) => (_: unknown, typed: Typed) =>
    faultOf(name, typed) ? t(`simulator.faults.${name}`) : null
  return useForm<Typed>({
    initialValues: first,
    validate: Object.fromEntries(faultNames.map((name) => [name, rule(name)])),
  })
}
