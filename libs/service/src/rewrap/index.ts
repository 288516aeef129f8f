export { examineTable, rewrapTable, type RewrapPace, type RewrapReport } from './rewrap-table.js';
export {
  rewrapAll,
  runRewrap,
  type RewrapDefinition,
  type RewrapOptions,
  type WrappedKeysDatabase,
} from './run-rewrap.js';
export { dataKeysTable, type WrappedKey, type WrappedTable } from './wrapped-table.js';
