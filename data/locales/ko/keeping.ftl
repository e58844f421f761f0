# 방을 돌보는 사람이 하는 일: 설정과 스위치, 바뀐 내역, 되돌리기.

help-settings = 묶음의 설정을 보여 주거나 하나를 설명해요. 그냥 쓰면 방 자체의 설정과 모든 묶음을 보여 줘요.
help-set = 설정을 바꿔요. “default”라고 쓰면 기본값으로 돌아가요. 이미 열린 판은 처음 설정 그대로 진행돼요.
slash-set = 설정을 바꿔요. “default”라고 쓰면 기본값으로 돌아가요.
help-enable = 게임을 여기서 다시 열 수 있게 해요.
help-disable = 게임을 여기서 열 수 없게 해요. 이미 열린 판은 계속돼요.
help-alias = 원하는 낱말이 명령과 그 뒤의 내용을 대신하게 해요. “off”라고 쓰면 없애요.
help-talk = 봇이 말하는 양을 정해요: quiet(조용히), normal(보통), full(전부).
help-pause = 풀 때까지 여기서 새 게임을 열 수 없게 해요. 이미 열린 판은 계속돼요.
help-unpause = 여기서 다시 게임을 열 수 있게 해요.
option-settings-group = 게임 이름, 또는 room 같은 다른 묶음
option-settings-key = 설명을 볼 설정
option-set-group = 게임 이름, 또는 room 같은 다른 묶음
option-set-key = 바꿀 설정
option-set-value = 새 값, 또는 default. 이유는 -- 뒤에 쓸 수 있어요
option-enable-game = 게임
option-disable-game = 게임
option-alias-new = 새 낱말
option-alias-old = 그 낱말이 대신할 명령, 또는 off
option-talk-level = 말하는 양

# 설정
group-unknown = “{ $text }”: 그런 설정 묶음은 없어요. 있는 묶음: { $known }.
settings-groups = 다른 묶음을 보려면 !settings 뒤에 하나를 쓰세요: { $groups }.
settings-none = { $game }: 아직 정해진 것이 없어요. 예: { $example }
settings-more = { $game }의 다른 설정: { $keys }.
setting-explained = { $key }: 지금 값은 { $value }. { $help }. 쓸 수 있는 값: { $expected }; 기본값: { $default }. 예: { $example }
setting-same = { $game } 설정: { $key } 값은 이미 그대로예요 ({ $new }).
preset-same = { $game }: 프리셋 { $preset }이(가) 이미 선택되어 있고, 그 위에 바꾼 것도 없어요.
value-default = 기본값
value-none = 없음
setting-room-paused = 당분간 새 게임을 열 수 없는지
setting-games = 여기서 그 게임을 열 수 있는지
setting-aliases = 그 낱말이 대신하는 것
expects-command = 명령과 그 뒤에 붙는 내용
alias-wrong = “{ $word }”: 명령을 대신하려면 글자와 숫자로만 된 { $most }자 이하의 한 낱말이어야 해요.
alias-taken = “{ $word }”: 이미 있는 명령이라 다른 명령을 대신할 수 없어요.
alias-there = “{ $word }”: 이미 “{ $old }”을(를) 대신해요. 먼저 off로 없애 주세요.

# 바뀐 내역, 되돌리기
help-audit = 여기서 바뀐 것을 새것부터 보여 줘요. 번호는 !undo에 쓸 수 있어요.
help-undo = 마지막으로 바뀐 것, 또는 !audit에 나온 번호의 것을 되돌려요.
option-audit-count = 몇 개를 보여 줄지
option-undo-number = !audit에 나온 번호. 비우면 가장 최근 것
audit-empty = 아직 여기서 바뀐 것이 없어요.
deed = #{ $number } { $who }님, { $ago }: { $changes }{ $why }
deed-undo = #{ $number } { $who }님, { $ago }, 되돌리기: { $changes }{ $why }
deed-why = {" "}({ $why })
changes = { $changes }
change-setting = { $group } { $key }: { $old } → { $new }
change-money = { $who }님의 { currency }: { $old } → { $new }
change-season = { $subject } 시즌: { $old } → { $new }
change-forgetting = 한 사람의 기록을 지웠어요
change-link = { $subject } 연결: { $old } → { $new }
ago = { $span } 전
span-days = { $count }일
span-hours = { $count }시간
span-minutes = { $count }분
span-seconds = { $count }초
undo-done = 되돌렸어요 (#{ $number }): { $changes }.
undo-nothing = 여기에는 되돌릴 것이 남아 있지 않아요.
undo-unknown = #{ $number }번은 여기에 없어요. 번호는 !audit에 나와요.
undo-undone = #{ $number }번은 이미 되돌렸어요.
undo-impossible = #{ $number }번은 되돌릴 수 없어요.
undo-changed = #{ $number }번은 그 뒤에 다시 바뀌어서 되돌릴 수 없어요: { $change }.
undo-short = #{ $number }번은 되돌릴 수 없어요. { $who }님에게 { $balance }만 남아 있어요.
