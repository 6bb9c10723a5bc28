// What this device holds: one record per server, study, credential and assignment, in IndexedDB.

const NAME = "quorate";
const VERSION = 1;

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("work", { keyPath: "key" });
      request.result.createObjectStore("tasks", { keyPath: "key" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

/** Records on disk. Every change is one transaction that reads, decides and writes. */
class Disk {
  lasting = true;

  constructor(db) {
    this.db = db;
    db.onversionchange = () => db.close();
  }

  #run(store, mode, body) {
    return new Promise((resolve, reject) => {
      const transaction = this.db.transaction(store, mode, mode === "readwrite" ? { durability: "strict" } : {});
      let result;
      transaction.oncomplete = () => resolve(result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
      body(transaction.objectStore(store), (value) => (result = value));
    });
  }

  get(store, key) {
    return this.#run(store, "readonly", (records, done) => {
      const request = records.get(key);
      request.onsuccess = () => done(request.result);
    });
  }

  all(store, prefix) {
    return this.#run(store, "readonly", (records, done) => {
      const request = records.getAll(IDBKeyRange.bound(prefix, [...prefix, []])); // an array sorts after every text
      request.onsuccess = () => done(request.result);
    });
  }

  /** change(record or undefined) gives the new record, or undefined to leave it; resolves to what is stored afterwards. */
  update(store, key, change) {
    return this.#run(store, "readwrite", (records, done) => {
      const request = records.get(key);
      request.onsuccess = () => {
        const changed = change(request.result);
        if (changed) records.put({ ...changed, key });
        done(changed ? { ...changed, key } : request.result);
      };
    });
  }
}

/** The same in memory, for a browser that keeps nothing (some private windows); the page says so. */
class Memory {
  lasting = false;
  #stores = { work: new Map(), tasks: new Map() };

  async get(store, key) {
    return structuredClone(this.#stores[store].get(JSON.stringify(key)));
  }

  async all(store, prefix) {
    return [...this.#stores[store].values()]
      .filter(({ key }) => prefix.every((part, n) => key[n] === part))
      .map((r) => structuredClone(r));
  }

  async update(store, key, change) {
    const held = this.#stores[store].get(JSON.stringify(key));
    const changed = change(structuredClone(held));
    if (changed) this.#stores[store].set(JSON.stringify(key), structuredClone({ ...changed, key }));
    return structuredClone(changed ? { ...changed, key } : held);
  }
}

export async function openDevice() {
  try {
    return new Disk(await opened());
  } catch {
    return new Memory();
  }
}

/** A name for this device in the event log: random, and the same for all its tabs. */
export function deviceName() {
  try {
    const held = localStorage.getItem("quorate-device");
    if (held) return held;
    const name = uuid7();
    localStorage.setItem("quorate-device", name);
    return name;
  } catch {
    return uuid7();
  }
}

/** A UUID of version 7: its first 48 bits are the time. (crypto.randomUUID is missing on plain http.) */
export function uuid7() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let n = 5; n >= 0; n--) {
    bytes[n] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
