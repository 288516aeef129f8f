import { getMetadataStorage, validateSync, ValidationTypes, type ValidationError } from 'class-validator';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;
type Rule = Rules[number];
type Test = (value: unknown) => boolean;

/**
 * The rules that the fields of an instance violate, those of nested classes included; none for most, which is found out without
 * class-validator's executor: it allocates an error for each field before it knows whether there is one.
 */
export function validateInstance(instance: object): ValidationError[] {
  return isValid(instance) ? [] : validateSync(instance, { forbidUnknownValues: false });
}

const tests = new WeakMap<object, Test>();

/** Whether class-validator finds nothing for certain. The rules of a class are final once it is used. */
function isValid(instance: object): boolean {
  const type = instance.constructor;
  let test = tests.get(type);
  if (!test) tests.set(type, (test = compile(type)));
  return test(instance);
}

/** One function for the fields of a class, from the rules that its decorators have registered. Ours have no groups. */
function compile(type: object): Test {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(type as never, '', false, false);
  const fields = Object.entries(storage.groupByPropertyName(rules)).map(
    ([name, own]) => [name, fieldTest(own)] as const,
  );
  return (instance) => {
    for (const [name, test] of fields)
      if (!test(instance as object, (instance as Record<string, unknown>)[name])) return false;
    return true;
  };
}

function fieldTest(rules: Rules): (instance: object, value: unknown) => boolean {
  const conditions = rules.filter(isConditional).map(({ constraints }) => constraints[0] as Condition);
  const tests = rules.filter((rule) => !isConditional(rule)).map(ruleTest);
  return (instance, value) => {
    for (const applies of conditions) if (!applies(instance)) return true;
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

type Condition = (instance: object) => boolean;

const isConditional = ({ type }: Rule) => type === ValidationTypes.CONDITIONAL_VALIDATION;

/** A rule of another kind than ours is left to class-validator. */
function ruleTest(rule: Rule): Test {
  if (rule.type === ValidationTypes.NESTED_VALIDATION) return isNestedValid;
  if (rule.type !== ValidationTypes.CUSTOM_VALIDATION || rule.validateIf) return () => false;
  const { constraints, propertyName: property } = rule;
  const given = { constraints, property, targetName: '', object: {}, value: undefined };
  const parts = getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map(({ instance, async }) => (async ? undefined : instance));
  const test: Test = (value) => parts.every((part) => part?.validate(value, given) === true);
  return rule.each ? (value) => (Array.isArray(value) ? value.every(test) : test(value)) : test;
}

function isNestedValid(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isNestedValid);
  return value === undefined || (value instanceof Object && isValid(value));
}
