export { sourceContract, type SourceContractCase, type SourceContractOptions, type SourceWorld } from './contracts/source-contract.js';
