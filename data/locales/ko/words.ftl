# 스트리머가 바꾸는 말, 크레딧의 이름, 도움말, 첫 안내, 비슷한 명령어.

currency = 크레딧
credits-form = { $amount ->
   *[other] 1
  }
credits-called = { $amount } { $unit }

setting-room-language = 이 방에서 봇이 쓰는 언어, auto는 프로그램의 언어
setting-room-hints = 어떤 게임을 처음 하는 사람에게 한 줄로 안내할지 여부
setting-room-suggestions = 잘못 입력한 명령어에 비슷한 명령어를, 로컬 페이지에서는 없는 명령어라는 것도 알려 줄지 여부
setting-credits-name_en = 영어로 부르는 크레딧의 이름: 하나일 때/여럿일 때, 또는 하나로 통일
setting-credits-name_ko = 한국어로 부르는 크레딧의 이름
setting-credits-ranks = !rank와 !credits에 보이는 크레딧별 등급 이름. none이면 등급 없음
expects-titles = none, 또는 점점 커지는 금액과 { $longest }자까지의 이름, 쉼표로 구분해 { $most }개까지(예: { $example })
expects-forms = 글자나 이모지 20자까지의 이름, 복수형이 있으면 /로 구분(예: { $example })

# Texts
help-text = 스트리머가 직접 쓰는 말이에요. 바꿀 수 있는 문구를 보여 주거나, 하나를 자리표시자와 함께 보여 주거나, 바꾸거나, 번갈아 나올 문구를 더해요.
slash-text = 스트리머가 직접 쓰는 문구를 보여 주거나 바꿔요.
option-text-key = 어떤 문구인지(예: entry, results)
option-text-text = 새 문구, 또는 add 문구, remove 2, default
setting-texts = 기본 문구 대신 쓰는 직접 쓴 문구, 중괄호 안은 알아서 채워져요
expects-text = { $most }자까지의 문구, 자리표시자는 기본 문구에 있는 것만, 여러 개는 사이에 ||
text-list = 문구: { $keys }. { $count ->
    [0] 여기서 바꾼 것은 아직 없어요.
   *[other] 여기서 바꾼 것: { $changed }.
  } !text 뒤에 이름을 붙이면 자리표시자와 함께 보여 주고, !text 이름 "…" 형식으로 바꿔요.
text-shown = { $key }: { $text }{ $count ->
    [0] {""}
   *[other] {" "}— 채워지는 자리: { $places }
  }
text-set = { $key } 문구를 바꿨어요. 이렇게 보여요: { $preview }
text-back = { $key } 문구를 기본으로 되돌렸어요: { $preview }
text-added = { $key } 문구가 이제 { $count ->
    [1] 하나예요.
   *[other] { $count }개예요. 번갈아 나와요.
  } 새 문구는 이렇게 보여요: { $preview }
text-there = { $key } 문구에 이미 있는 글이라 바뀐 것이 없어요.
text-removed = { $key } 문구 { $number }번을 뺐어요({ $count }개 남음): { $text }
text-not-there = { $key }: 직접 쓴 문구가 { $count ->
    [0] 없어요.
   *[other] { $count }개 있어요. 번호는 1부터예요.
  } !text 뒤에 이름을 붙이면 볼 수 있어요.
text-most = { $key } 문구는 { $most }개까지 쓸 수 있어요. 먼저 하나를 빼 주세요.
text-numbered = { $number }. { $text }
text-without = 빠진 자리: { $places }
text-unknown = “{ $key }”: 그런 문구는 없어요. 자주 바꾸는 문구는 !text 에서 볼 수 있어요.
text-wrong-place = “{ $place }”: { $key } 문구에는 그런 자리가 없어요. 있는 자리: { $known }
text-length = 문구는 1~{ $most }자여야 해요. 기본 문구로 되돌리려면 default라고 써 주세요.

# What may have been meant
unknown-but-near = { $told } 혹시 { $near }?
did-you-mean = 혹시 { $word }?

# First steps
hint-game = { $game }, 처음이세요? 하는 법은 !help { $word } 입력! 지금 { $balance } 있어요.
hint-stake = 첫 번째 숫자는 판돈이 아니에요. 판돈은 !{ $word } stake=50처럼 적어 주세요.
hint-whispered = { $game }, 처음이세요? 하는 법은 !help { $word } 입력! 비밀 선택은 저에게 귓속말해 주세요. 지금 { $balance } 있어요.

# Help
help-useful = 그 밖에: { $services }. 나머지는 !help more.
help-keeping = 관리용: { $services }.
help-limits = 여기서는: { $rows }.
help-example = (예: { $example })
help-group = { $group } 설정: { $keys }. 지금 값은 !settings { $group }, 설명은 !help { $group } 뒤에 설정 이름을 붙여 주세요.
help-entries = { $group }: { $help }. 여기서 정해진 것은 !settings { $group } 에서 볼 수 있어요.
option-help-setting = 설명을 볼 설정
limit-default_stake = 보통 판돈 { $value }
limit-min_stake = 판돈 최소 { $value }
limit-max_stake = 판돈 최대 { $value }
limit-min_crew = 최소 인원 { $value }명
limit-lobby = 합류 시간 { $value }초
limit-cooldown = 판 사이 휴식 { $value }초
example-credits = !credits @ann
example-give = !give @ann 50
example-top = !top 10
example-help = !help heist
example-settings = !settings heist
example-set = !set heist lobby 60
example-preset = !preset heist small
example-cancel = !cancel heist
example-text = !text entry "{"{who}"} 슬쩍 합류! {"{stake}"}"
example-enable = !enable heist
example-disable = !disable heist
example-alias = !alias loot heist
example-talk = !talk quiet
example-permit = !permit give regular
example-cooldown = !cooldown give 30
example-grant = !grant @ann 100 그림 대회 우승
example-granthere = !grant here 50 최장 방송 기념
example-grantregulars = !grant regulars 20
example-rain = !rain 500
example-creditssetall = !credits set all 100 -- 새 시즌
example-creditsset = !credits set @ann 500 -- 오류로 잃음
example-take = !take @ann 100 두 번 지급됨
example-exclude = !exclude @ann
example-regular = !regular @ann
example-undo = !undo

# 빈칸: !set 묶음 항목 값처럼 직접 채워 넣는 자리. 띄어 쓰지 않아요
blank-mention = @이름
blank-game = 게임
blank-command = 명령
blank-setting = 설정
blank-group = 묶음
blank-key = 항목
blank-value = 값
blank-text = 문구
blank-amount = 금액
blank-reason = 이유
blank-number = 번호
blank-table = 판
blank-round = 라운드
blank-name = 이름
blank-code = 코드
blank-new = 새낱말
blank-old = 명령
blank-room = 방전체초
blank-member = 한사람초
blank-uses = 횟수
blank-stake = 판돈
blank-cards = 카드수
blank-card = 카드
