# 누가 명령을 쓸 수 있는지, 얼마나 자주 쓸 수 있는지, 그리고 게임이 언제 열리는지.

# 권한
help-permit = 명령을 누가 쓸 수 있는지 알려 주거나, 정한 등급 이상만 쓰게 해요.
option-permit-command = 명령
option-permit-role = 쓸 수 있는 가장 낮은 등급. 비워 두면 지금 등급을 알려 줘요
permit-all = { $word } 명령은 누구나 쓸 수 있어요.
permit-is = { $word } 명령은 { $role }만 쓸 수 있어요.
permit-opening = { $word } 명령은 판 열기, 참가, 질문까지 전부 { $role }만 쓸 수 있어요. 판을 여는 사람만 제한하려면: { $set } 그리고 { $permit }

# 대기 시간
help-cooldown = 명령을 얼마나 자주 쓸 수 있는지 알려 주거나 바꿔요. 방 전체의 초, 한 사람의 초, 한 사람이 24시간 동안 쓸 수 있는 횟수를 5/60/3처럼 적어요.
slash-cooldown = 명령을 얼마나 자주 쓸 수 있는지 알려 주거나 바꿔요.
option-cooldown-command = 명령
option-cooldown-value = 방 전체 초/한 사람 초/24시간 횟수. 예: 5/60/3. off 또는 default도 돼요
setting-cooldowns = 명령을 얼마나 자주 쓸 수 있는지: 방 전체의 초, 한 사람의 초, 한 사람이 24시간 동안 쓸 수 있는 횟수. 기본값은 트위치처럼 대답을 모두가 읽는 곳에서만 적용돼요
expects-cooldown = off, 한 사람의 시간(30 또는 30s), 또는 방 전체와 한 사람의 시간(5/60 또는 5s/1m), 원하면 24시간 횟수까지(5/60/3). 최대 { $longest }초, { $most }회
cooldown-none = { $word } 명령은 얼마든지 쓸 수 있어요.
cooldown-room = { $word } 명령은 누가 한 번 쓰면 방 전체가 { $wait } 동안 기다려야 해요.
cooldown-member = { $word } 명령은 한 번 쓰면 그 사람은 { $wait } 동안 기다려야 해요.
cooldown-uses = { $word } 명령은 한 사람이 24시간에 { $uses }번 쓸 수 있어요.
limit-room = { $word } 명령은 잠시 쉬는 중이에요. { $wait } 뒤에 다시 쓸 수 있어요.
limit-member = 방금 { $word } 명령을 썼어요. { $wait } 뒤에 다시 쓸 수 있어요.
limit-uses = { $word } 명령을 24시간 한도({ $uses }번)만큼 다 썼어요. { $wait } 뒤에 다시 쓸 수 있어요.
limit-of-moderators = { $word } 명령은 방 매니저용이라 대기 시간이 없어요.
limit-never = { $word } 명령은 언제든 바로 쓸 수 있어야 해서 대기 시간을 둘 수 없어요.
lasting-seconds = { $seconds }초
lasting-minutes = { $seconds ->
    [0] { $minutes }분
   *[other] { $minutes }분 { $seconds }초
  }
lasting-hours = { $minutes ->
    [0] { $hours }시간
   *[other] { $hours }시간 { $minutes }분
  }

# 게임이 열리는 때
setting-room-only_live = 방송 중일 때만 게임을 시작할 수 있는지. 진행 중인 게임은 계속돼요
setting-room-proofs = 추첨을 증명하는 해시와 시드를 판마다 알릴지. 아니면 !fair와 !verify로 묻는 사람에게만 알려요
setting-room-threads = 디스코드에서 오래 걸리는 게임의 진행을 스레드에서 알릴지. 게임판과 결과는 채널에 남아요
only-live = 여기서는 방송 중일 때만 게임을 시작할 수 있어요.
games-paused = 매니저가 게임을 잠시 멈춰서 지금은 새 게임을 시작할 수 없어요. 진행 중인 게임은 계속돼요.
game-off = { $game } 게임은 여기서 꺼져 있어요.
