/* Two peers with one queue pair between them, used both ways. Peer p sends SENDS(p) messages and takes those of the other, in any
   interleaving; a message is a slot of the receiver, filled by one write.

   N       slots of each receive ring (1..4)
   W       numbers on the wire are taken modulo W (> N); counts of a run exceed it, so that they wrap
   M       messages of peer 0; peer 1 sends 0..K, chosen freely
   CREDIT  0 fast path, 1 own link (one credit at a time), 2 multiplexed with data, 3 piggyback with fallback
   MUTANT  0 none; 1 credit before use, 2 data reordered, 3 max() on wire numbers, 4 no fallback for the last credit,
           5 metadata before data, 6 late duplicate of a credit, 7 one message too many in flight, 8 the writer uses another geometry than the reader,
           9 fallback credit by another way than the data
   Invariants I1 to I10 are the assertions, marked; liveness is the absence of an end state in which a message or a credit is left. */
#ifndef N
#define N 2
#endif
#ifndef W
#define W 4
#endif
#ifndef M
#define M 5
#endif
#ifndef K
#define K M
#endif
#ifndef CREDIT
#define CREDIT 0
#endif
#ifndef MUTANT
#define MUTANT 0
#endif
#define NONE 255
#define DATA 0
#define ACK 1

byte sends[2], my_head[2], my_tail[2], released[2], told[2];   /* told: releases that the other has been told of */
byte peer_head_cache[2], peer_tail_cache[2];
byte slot0[5], slot1[5];
bool used0[5], used1[5];
bool spare;                                                   /* the one mutation of a run that may happen once */
chan wire0 = [2 * N + 2] of { byte, byte, byte, byte };         /* to peer 0: kind, number, payload, acknowledged */
chan wire1 = [2 * N + 2] of { byte, byte, byte, byte };
#if CREDIT == 1
chan credit0 = [1] of { byte };
chan credit1 = [1] of { byte };
#else
chan credit0 = [N + 2] of { byte };
chan credit1 = [N + 2] of { byte };
#endif

#if MUTANT == 3
#define ADVANCE(cache, number) if :: (number) > cache -> cache = number :: else fi
#else
#define ADVANCE(cache, number) cache = cache + (((number) + W - (cache % W)) % W)
#endif
#if MUTANT == 7
#define ROOM(p) (my_head[p] - peer_tail_cache[p] <= N)
#else
#define ROOM(p) (my_head[p] - peer_tail_cache[p] < N)
#endif
#if MUTANT == 8
#define SLOT(number) ((number) % (N + 1))
#else
#define SLOT(number) ((number) % N)
#endif

/* At peer q, about the traffic from p. */
#define ORDER(q, p) \
  assert(peer_head_cache[q] <= my_head[p]);              /* I2, I6: no more arrived than was sent */ \
  assert(my_tail[q] <= peer_head_cache[q]);              /* I1 */ \
  assert(released[q] <= my_tail[q]);                     /* I9 */ \
  assert(peer_tail_cache[p] <= released[q]);             /* I9: no credit before its slot is free */ \
  assert(peer_head_cache[q] - released[q] <= N)          /* I10: what is in the ring fits the ring */

#define WRITE(slots, used, payload) \
  assert(!used[SLOT(payload - 1)]);                      /* I9: the kernel does not hold it */ \
  slots[SLOT(payload - 1)] = payload

#define CREDITED(q, p, number) ADVANCE(peer_tail_cache[q], number); ORDER(p, q)

/* The fabric to peer q, from p. */
#define FABRIC(q, p, wire, credit, slots, used) \
  byte kind, number, payload, ack, kind2, number2, payload2, ack2, duplicate = NONE; \
  end: do \
  :: atomic { wire ? kind, number, payload, ack -> \
       if \
       :: MUTANT == 2 && kind == DATA && !spare && len(wire) > 0 -> wire ? kind2, number2, payload2, ack2; \
            if :: kind2 == DATA -> spare = true; WRITE(slots, used, payload2); ADVANCE(peer_head_cache[q], (number2 + 1) % W); \
               :: else -> CREDITED(q, p, number2) \
            fi \
       :: else \
       fi; \
       if \
       :: kind == ACK -> CREDITED(q, p, number) \
       :: kind == DATA && MUTANT != 5 -> \
            WRITE(slots, used, payload); ADVANCE(peer_head_cache[q], (number + 1) % W); ORDER(q, p); \
            if :: ack != NONE -> CREDITED(q, p, ack) :: else fi \
       :: kind == DATA && MUTANT == 5 -> ADVANCE(peer_head_cache[q], (number + 1) % W) \
       fi } ; \
       if :: kind == DATA && MUTANT == 5 -> atomic { WRITE(slots, used, payload); if :: ack != NONE -> CREDITED(q, p, ack) :: else fi } \
          :: else fi \
  :: atomic { credit ? number -> CREDITED(q, p, number); \
       if :: MUTANT == 6 && !spare -> spare = true; duplicate = number :: true fi } \
  :: atomic { duplicate != NONE -> CREDITED(q, p, duplicate); duplicate = NONE } \
  od

/* The fallback of the piggyback keeps the order of data and credits: by another way it could overtake an older number. */
#if CREDIT == 2 || (CREDIT == 3 && MUTANT != 9)
#define TELL(p, wire, credit) wire ! ACK, told[p] % W, 0, NONE
#else
#define TELL(p, wire, credit) credit ! told[p] % W
#endif

/* The kernel of peer p; q is the other; `out` and `credit` lead there. */
#define KERNEL(p, q, out, credit, slots, used) \
  byte held = NONE; \
  do \
  :: atomic { my_head[p] < sends[p] && ROOM(p) && nfull(out) -> \
       if :: CREDIT == 3 && told[p] < released[p] -> told[p] = released[p]; out ! DATA, my_head[p] % W, my_head[p] + 1, told[p] % W \
          :: else -> out ! DATA, my_head[p] % W, my_head[p] + 1, NONE \
       fi; my_head[p]++ } \
  :: atomic { held == NONE && my_tail[p] < peer_head_cache[p] -> \
       held = my_tail[p] % N; \
       assert(slots[held] == my_tail[p] + 1);             /* I1, I6, I7, I8: this message, whole, once, in order */ \
       used[held] = true; my_tail[p]++; \
       if :: MUTANT == 1 -> credit ! my_tail[p] % W :: else fi } \
  :: atomic { held != NONE -> \
       assert(slots[held] == my_tail[p]);                 /* I9: still what was received */ \
       used[held] = false; held = NONE; released[p]++; if :: MUTANT == 1 -> told[p] = released[p] :: else fi } \
  :: CREDIT != 3 && told[p] < released[p] && nfull(out) -> atomic { told[p] = released[p]; TELL(p, out, credit) } \
  :: CREDIT == 3 && MUTANT != 4 && told[p] < released[p] -> atomic { nfull(out) -> told[p] = released[p]; TELL(p, out, credit) }  /* timer, low water, end */ \
  :: my_head[p] == sends[p] && my_tail[p] == sends[q] && held == NONE && told[p] == released[p] -> break \
  od

proctype Fabric0() { FABRIC(0, 1, wire0, credit0, slot0, used0) }
proctype Fabric1() { FABRIC(1, 0, wire1, credit1, slot1, used1) }
proctype Kernel0() { KERNEL(0, 1, wire1, credit1, slot0, used0) }
proctype Kernel1() { KERNEL(1, 0, wire0, credit0, slot1, used1) }

init {
  byte choice;
  atomic {
    sends[0] = M;
    select(choice : 0 .. K);
    sends[1] = choice;
    run Fabric0(); run Fabric1(); run Kernel0(); run Kernel1()
  }
  /* Nothing more can happen: all has arrived, all slots and all credits are back (R166, I1). */
  end: timeout;
  assert(my_tail[1] == sends[0] && my_tail[0] == sends[1]);
  assert(peer_tail_cache[0] == my_head[0] && peer_tail_cache[1] == my_head[1])
}
