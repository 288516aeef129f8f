export { loadConfigs, type ConfiguredService } from './load-configs.js';
export { runServices } from './run-services.js';
export { startServices } from './start-services.js';
