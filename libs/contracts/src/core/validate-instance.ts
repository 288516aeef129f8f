import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;

const rulesOf = new WeakMap<object, Rules>();
const storage = getMetadataStorage();
const search = storage.getTargetValidationMetadatas.bind(storage);

/**
 * class-validator searches the rules of all classes each time that it validates an instance, which cost the gateway a tenth of
 * its time. The rules of a class are final once it is used. Ours have neither groups nor schemas, the other arguments.
 */
storage.getTargetValidationMetadatas = (type, ...options) => {
  let rules = rulesOf.get(type);
  if (!rules) rulesOf.set(type, (rules = search(type, ...options)));
  return rules;
};

/** The rules that the fields of an instance violate, those of nested classes included. */
export function validateInstance(instance: object): ValidationError[] {
  return validateSync(instance, { forbidUnknownValues: false });
}
